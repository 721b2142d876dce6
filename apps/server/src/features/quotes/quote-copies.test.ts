import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { waitUntilBlocked } from '../../../test/database.ts';
import { newCustomer, newItem, newQuote, newQuoteLine, newSection, newSupplier } from '../../../test/factories/inputs.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { createQuotingFirm, type QuotingFirm } from '../../../test/factories/quoting-firm.ts';
import { pdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let quoting: QuotingFirm;

beforeAll(async () => {
  test = await startTestApp();
  quoting = await createQuotingFirm(test);
});

const admin = () => quoting.firm.people.admin.client;

describe('a duplicate', () => {
  it('is refused in words when its total is too large at the tax rate of today', async () => {
    const setRate = (rate: string) =>
      test.owner.query('update companies set gst_percentage = $2 where company_id = $1', [quoting.firm.companyId, rate]);
    await setRate('0');
    const { id } = await quoting.create({
      sections: [newSection({ items: [newQuoteLine({ unit_price: '9999999999.99', tax_inclusive: false })] })],
    });
    await setRate('15');
    await expect(admin().quotes.duplicate({ id, new_id: randomUUID() })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { sections: 'The total must be at most 9,999,999,999.99' } },
    });
  });

  it('has no customer when theirs is deleted at that moment', async () => {
    const { id: customer_id } = await admin().customers.create(newCustomer());
    const { id } = await quoting.create({ customer_id });
    const company = await test.owner.connect();
    onTestFinished(() => company.release());
    await company.query('begin');
    await company.query('select from companies where company_id = $1 for update', [quoting.firm.companyId]);
    const copying = admin().quotes.duplicate({ id, new_id: randomUUID() });
    await waitUntilBlocked(test.database);
    await company.query('delete from customers where id = $1', [customer_id]);
    await company.query('commit');
    expect(await copying).toMatchObject({ status: 'draft', customer_id: null });
  });

  it('is a draft with a number of its own and the same sections, prices and files', async () => {
    const fileId = await quoting.upload();
    const original = await quoting.create({
      title: 'Twice',
      valid_until: '2020-01-31',
      sections: [newSection({ always_required: true, items: [quoting.picked({ quantity: '2' })] }), newSection({ name: 'B' })],
      attachment_ids: [fileId],
    });
    await test.owner.query(`update quotes set created_at = '2020-01-01T12:00:00Z', status = 'rejected' where id = $1`, [original.id]);
    const new_id = randomUUID();
    const copy = await admin().quotes.duplicate({ id: original.id, new_id });
    expect(copy).toMatchObject({
      id: new_id,
      title: 'Twice',
      status: 'draft',
      shown_status: 'draft',
      total_amount: original.total_amount,
      customer_id: quoting.customerId,
    });
    expect(copy.valid_until).not.toBeNull();
    expect(copy.quote_number).not.toBe(original.quote_number);
    expect(
      copy.sections.map(({ name, always_required, items }) => [
        name,
        always_required,
        items.map(({ sku, quantity, cost_price }) => [sku, quantity, cost_price]),
      ]),
    ).toEqual([
      ['Items & Services', true, [['TAP-1', '2', '70.00']]],
      ['B', false, [[null, '1', null]]],
    ]);
    expect(copy.sections[0]?.id).not.toBe(original.sections[0]?.id);
    expect(copy.attachments).toMatchObject([{ file_name: 'plan.png' }]);
    expect(copy.attachments[0]?.id).not.toBe(fileId);
    expect(await admin().quotes.duplicate({ id: original.id, new_id })).toEqual(copy);
    expect((await admin().quotes.history({ id: new_id })).rows[0]?.changes).toMatchObject({ copied_from: [null, original.quote_number] });
  });

  it('leaves no file behind that nobody uses, however often it is asked for at once or refused', async () => {
    const original = await quoting.create({ title: 'Often', attachment_ids: [await quoting.upload()] });
    const filesOf = async () => {
      const { rows } = await test.owner.query<{ kind: string | null }>(
        `select distinct owner_kind as kind from files where company_id = $1 and purpose = 'attachment'`,
        [quoting.firm.companyId],
      );
      return rows.map(({ kind }) => kind);
    };
    const new_id = randomUUID();
    const ask = () => admin().quotes.duplicate({ id: original.id, new_id });
    const answers = await Promise.allSettled(Array.from({ length: 40 }, ask));
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [(answer.reason as { code?: string }).code] : []));
    expect(refusals.filter((code) => code !== 'TOO_MANY_ATTEMPTS')).toEqual([]);
    expect((await ask()).id).toBe(new_id);
    expect(await filesOf()).toEqual(['quote']);
    await test.owner.query('update companies set gst_percentage = 100 where company_id = $1', [quoting.firm.companyId]);
    const dear = await quoting.create({
      sections: [newSection({ items: [newQuoteLine({ unit_price: '9999999999.99' })] })],
      attachment_ids: [await quoting.upload()],
    });
    await test.owner.query('update quote_items set tax_inclusive = false where quote_id = $1', [dear.id]);
    await expect(admin().quotes.duplicate({ id: dear.id, new_id: randomUUID() })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await test.owner.query('update companies set gst_percentage = 15 where company_id = $1', [quoting.firm.companyId]);
    expect(await filesOf()).toEqual(['quote']);
  });

  it('is refused before anything is copied when its files do not fit', async () => {
    const small = await startTestApp({ FILE_QUOTA_MB: '1' });
    const { people, companyId } = await createFirm(small);
    const { customers, quotes } = people.admin.client;
    const { id: customer_id } = await customers.create(newCustomer());
    const fileId = randomUUID();
    await uploadTo(small, `/api/files/${fileId}`, people.admin.cookie, 'plan.pdf', pdf(700_000));
    const { id } = await quotes.create(newQuote({ customer_id, attachment_ids: [fileId] }));
    const { files } = small.app.platform;
    const receive = vi.spyOn(files, 'receive');
    await expect(quotes.duplicate({ id, new_id: randomUUID() })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(receive).not.toHaveBeenCalled();
    expect((await small.owner.query('select from files where company_id = $1', [companyId])).rowCount).toBe(1);
  });

  it('is refused under an id that another quote has, and counts as an interaction with the customer', async () => {
    const [original, other] = [await quoting.create({ title: 'Original' }), await quoting.create({ title: 'Other' })];
    for (const new_id of [original.id, other.id]) {
      await expect(admin().quotes.duplicate({ id: original.id, new_id })).rejects.toMatchObject({ code: 'ID_TAKEN' });
    }
    await test.owner.query('update customers set last_interaction = null where id = $1', [quoting.customerId]);
    await admin().quotes.duplicate({ id: original.id, new_id: randomUUID() });
    expect((await admin().customers.get({ id: quoting.customerId })).last_interaction).not.toBeNull();
  });
});

describe('section templates', () => {
  it('follow the price list unless a price was set by hand', async () => {
    const supplier = await admin().suppliers.create(newSupplier());
    const input = newItem({ supplier_id: supplier.id, pricing_method: 'fixed', fixed_price: '80.00' });
    const item = await admin().items.create(input);
    const line = (unit_price: string) => newQuoteLine({ supplier_item_id: item.id, unit_price });
    const template = await admin().sectionTemplates.save(newSection({ name: 'Shower', items: [line('80.00'), line('75.00')] }));
    await admin().items.update({ ...input, fixed_price: '90.00', version: item.version });
    const prices = async () => {
      const { rows } = await admin().sectionTemplates.list();
      return rows.find(({ id }) => id === template.id)?.items.map(({ unit_price, supplier_item_id }) => [unit_price, supplier_item_id]);
    };
    expect(await prices()).toEqual([
      ['90.00', item.id],
      ['75.00', item.id],
    ]);
    await admin().items.remove({ id: item.id });
    expect(await prices()).toEqual([
      ['80.00', null],
      ['75.00', null],
    ]);
  });

  it('hold as many lines as a quote, and no more', async () => {
    const items = Array.from({ length: 501 }, () => newQuoteLine());
    await expect(admin().sectionTemplates.save(newSection({ name: 'Endless', items }))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('replace the one of the same name, and are removed', async () => {
    const first = await admin().sectionTemplates.save(newSection({ name: 'Drains' }));
    const second = await admin().sectionTemplates.save(newSection({ name: 'DRAINS', items: [] }));
    const named = async () => (await admin().sectionTemplates.list()).rows.filter(({ name }) => /drains/i.test(name)).map(({ id }) => id);
    expect(await named()).toEqual([second.id]);
    await expect(admin().sectionTemplates.remove({ id: first.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await admin().sectionTemplates.remove({ id: second.id });
    expect(await named()).toEqual([]);
  });

  it('are at most 200, one of which can still be replaced', async () => {
    const { companyId, people } = await createFirm(test, 'Templates');
    const { sectionTemplates } = people.admin.client;
    const save = (name: string) => sectionTemplates.save(newSection({ name, items: [] }));
    await test.owner.query(
      `insert into section_templates (company_id, id, name, name_key, always_required, items, created_at)
        select $1, gen_random_uuid(), 'Section ' || n, 'section ' || n, false, '[]', now() from generate_series(1, 199) as n`,
      [companyId],
    );
    await save('The last one');
    const refused = { code: 'LIMIT_REACHED', message: 'Your company can have at most 200 section templates.' };
    await expect(save('One more')).rejects.toMatchObject(refused);
    expect(await save('Section 7')).toMatchObject({ name: 'Section 7' });
    expect((await sectionTemplates.list()).rows).toHaveLength(200);
  });

  it('hold as many items as a quote, and 2 MB together', async () => {
    const items = (count: number, description: string | null = null) => Array.from({ length: count }, () => newQuoteLine({ description }));
    await expect(admin().sectionTemplates.save(newSection({ name: 'Many', items: items(501) }))).rejects.toMatchObject({
      data: { fields: { items: 'At most 500 items' } },
    });
    const save = (name: string) => admin().sectionTemplates.save(newSection({ name, items: items(80, 'd'.repeat(2000)) }));
    for (let count = 0; count < 11; count += 1) await save(`Large ${count}`);
    const refused = { code: 'LIMIT_REACHED', message: 'The section templates of your company can hold at most 2 MB of items.' };
    await expect(save('Large 11')).rejects.toMatchObject(refused);
    expect(await save('Large 10')).toMatchObject({ name: 'Large 10' });
  });
});
