import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { waitUntilBlocked } from '../../../test/database.ts';
import { buildCustomer, buildItem, buildQuote, buildQuoteLine, buildQuoteSection, buildSupplier } from '../../../test/factories/inputs.ts';
import { createFirm } from '../../../test/factories/people.ts';
import { createQuotingFirm, type QuotingFirm } from '../../../test/factories/quoting-firm.ts';
import { buildPdf } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let test: TestApp;
let quoting: QuotingFirm;

beforeAll(async () => {
  test = await startTestApp();
  quoting = await createQuotingFirm(test);
});

const getAdmin = () => quoting.firm.people.admin.client;

describe('duplicating a quote', () => {
  it('fails if the total would be too large at the current tax rate', async () => {
    const setTaxRate = (rate: string) =>
      test.owner.query('update companies set gst_percentage = $2 where company_id = $1', [quoting.firm.companyId, rate]);
    await setTaxRate('0');
    const { id } = await quoting.createQuote({
      sections: [buildQuoteSection({ items: [buildQuoteLine({ unit_price: '9999999999.99', tax_inclusive: false })] })],
    });
    await setTaxRate('15');
    await expect(getAdmin().quotes.duplicate({ id, new_id: randomUUID() })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { fields: { sections: 'The total must be at most 9,999,999,999.99' } },
    });
  });

  it('creates a quote without a customer if the customer is deleted concurrently', async () => {
    const { id: customer_id } = await getAdmin().customers.create(buildCustomer());
    const { id } = await quoting.createQuote({ customer_id });
    const otherSession = await test.owner.connect();
    onTestFinished(() => otherSession.release());
    await otherSession.query('begin');
    await otherSession.query('select from companies where company_id = $1 for update', [quoting.firm.companyId]);
    const duplicating = getAdmin().quotes.duplicate({ id, new_id: randomUUID() });
    await waitUntilBlocked(test.database);
    await otherSession.query('delete from customers where id = $1', [customer_id]);
    await otherSession.query('commit');
    expect(await duplicating).toMatchObject({ status: 'draft', customer_id: null });
  });

  it('creates a draft with a new number and the same sections, prices and files', async () => {
    const fileId = await quoting.uploadPlan();
    const original = await quoting.createQuote({
      title: 'Twice',
      valid_until: '2020-01-31',
      sections: [
        buildQuoteSection({ always_required: true, items: [quoting.buildPickedLine({ quantity: '2' })] }),
        buildQuoteSection({ name: 'B' }),
      ],
      attachment_ids: [fileId],
    });
    await test.owner.query(`update quotes set created_at = '2020-01-01T12:00:00Z', status = 'rejected' where id = $1`, [original.id]);
    const new_id = randomUUID();
    const copy = await getAdmin().quotes.duplicate({ id: original.id, new_id });
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
    expect(await getAdmin().quotes.duplicate({ id: original.id, new_id })).toEqual(copy);
    expect((await getAdmin().quotes.history({ id: new_id })).rows[0]?.changes).toMatchObject({
      copied_from: [null, original.quote_number],
    });
  });

  it('leaves no orphaned files after concurrent or failed requests', async () => {
    const original = await quoting.createQuote({ title: 'Popular', attachment_ids: [await quoting.uploadPlan()] });
    const readFileOwnerKinds = async () => {
      const { rows } = await test.owner.query<{ kind: string | null }>(
        `select distinct owner_kind as kind from files where company_id = $1 and purpose = 'attachment'`,
        [quoting.firm.companyId],
      );
      return rows.map(({ kind }) => kind);
    };
    const new_id = randomUUID();
    const duplicate = () => getAdmin().quotes.duplicate({ id: original.id, new_id });
    const results = await Promise.allSettled(Array.from({ length: 40 }, duplicate));
    const errorCodes = results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { code?: string }).code] : []));
    expect(errorCodes.filter((code) => code !== 'TOO_MANY_ATTEMPTS')).toEqual([]);
    expect((await duplicate()).id).toBe(new_id);
    expect(await readFileOwnerKinds()).toEqual(['quote']);
    await test.owner.query('update companies set gst_percentage = 100 where company_id = $1', [quoting.firm.companyId]);
    const expensive = await quoting.createQuote({
      sections: [buildQuoteSection({ items: [buildQuoteLine({ unit_price: '9999999999.99' })] })],
      attachment_ids: [await quoting.uploadPlan()],
    });
    await test.owner.query('update quote_items set tax_inclusive = false where quote_id = $1', [expensive.id]);
    await expect(getAdmin().quotes.duplicate({ id: expensive.id, new_id: randomUUID() })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await test.owner.query('update companies set gst_percentage = 15 where company_id = $1', [quoting.firm.companyId]);
    expect(await readFileOwnerKinds()).toEqual(['quote']);
  });

  it('fails before copying any file if the copies would exceed the storage quota', async () => {
    const smallApp = await startTestApp({ FILE_QUOTA_MB: '1' });
    const { people, companyId } = await createFirm(smallApp);
    const { customers, quotes } = people.admin.client;
    const { id: customer_id } = await customers.create(buildCustomer());
    const fileId = randomUUID();
    await uploadFile(smallApp, `/api/files/${fileId}`, people.admin.cookie, 'plan.pdf', buildPdf(700_000));
    const { id } = await quotes.create(buildQuote({ customer_id, attachment_ids: [fileId] }));
    const { files } = smallApp.app.platform;
    const receive = vi.spyOn(files, 'receive');
    await expect(quotes.duplicate({ id, new_id: randomUUID() })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(receive).not.toHaveBeenCalled();
    expect((await smallApp.owner.query('select from files where company_id = $1', [companyId])).rowCount).toBe(1);
  });

  it('rejects the id of another quote, and updates the customer’s last interaction', async () => {
    const [original, other] = [await quoting.createQuote({ title: 'Original' }), await quoting.createQuote({ title: 'Other' })];
    for (const new_id of [original.id, other.id]) {
      await expect(getAdmin().quotes.duplicate({ id: original.id, new_id })).rejects.toMatchObject({ code: 'ID_TAKEN' });
    }
    await test.owner.query('update customers set last_interaction = null where id = $1', [quoting.customerId]);
    await getAdmin().quotes.duplicate({ id: original.id, new_id: randomUUID() });
    expect((await getAdmin().customers.get({ id: quoting.customerId })).last_interaction).not.toBeNull();
  });
});

describe('section templates', () => {
  it('use current list prices, except for prices that were set by hand', async () => {
    const supplier = await getAdmin().suppliers.create(buildSupplier());
    const input = buildItem({ supplier_id: supplier.id, pricing_method: 'fixed', fixed_price: '80.00' });
    const item = await getAdmin().items.create(input);
    const line = (unit_price: string) => buildQuoteLine({ supplier_item_id: item.id, unit_price });
    const template = await getAdmin().sectionTemplates.save(buildQuoteSection({ name: 'Shower', items: [line('80.00'), line('75.00')] }));
    await getAdmin().items.update({ ...input, fixed_price: '90.00', version: item.version });
    const readPrices = async () => {
      const { rows } = await getAdmin().sectionTemplates.list();
      return rows.find(({ id }) => id === template.id)?.items.map(({ unit_price, supplier_item_id }) => [unit_price, supplier_item_id]);
    };
    expect(await readPrices()).toEqual([
      ['90.00', item.id],
      ['75.00', item.id],
    ]);
    await getAdmin().items.remove({ id: item.id });
    expect(await readPrices()).toEqual([
      ['80.00', null],
      ['75.00', null],
    ]);
  });

  it('reject more lines than a quote can have', async () => {
    const items = Array.from({ length: 501 }, () => buildQuoteLine());
    await expect(getAdmin().sectionTemplates.save(buildQuoteSection({ name: 'Endless', items }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('replace an existing template with the same name, and can be removed', async () => {
    const first = await getAdmin().sectionTemplates.save(buildQuoteSection({ name: 'Drains' }));
    const second = await getAdmin().sectionTemplates.save(buildQuoteSection({ name: 'DRAINS', items: [] }));
    const listDrainsIds = async () =>
      (await getAdmin().sectionTemplates.list()).rows.filter(({ name }) => /drains/i.test(name)).map(({ id }) => id);
    expect(await listDrainsIds()).toEqual([second.id]);
    await expect(getAdmin().sectionTemplates.remove({ id: first.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await getAdmin().sectionTemplates.remove({ id: second.id });
    expect(await listDrainsIds()).toEqual([]);
  });

  it('are limited to 200 per company, but existing ones can still be replaced', async () => {
    const { companyId, people } = await createFirm(test, 'Templates');
    const { sectionTemplates } = people.admin.client;
    const save = (name: string) => sectionTemplates.save(buildQuoteSection({ name, items: [] }));
    await test.owner.query(
      `insert into section_templates (company_id, id, name, name_key, always_required, items, created_at)
        select $1, gen_random_uuid(), 'Section ' || n, 'section ' || n, false, '[]', now() from generate_series(1, 199) as n`,
      [companyId],
    );
    await save('The last one');
    const failure = { code: 'LIMIT_REACHED', message: 'Your company can have at most 200 section templates.' };
    await expect(save('One more')).rejects.toMatchObject(failure);
    expect(await save('Section 7')).toMatchObject({ name: 'Section 7' });
    expect((await sectionTemplates.list()).rows).toHaveLength(200);
  });

  it('are limited to 500 items each and 2 MB in total', async () => {
    const items = (count: number, description: string | null = null) =>
      Array.from({ length: count }, () => buildQuoteLine({ description }));
    await expect(getAdmin().sectionTemplates.save(buildQuoteSection({ name: 'Many', items: items(501) }))).rejects.toMatchObject({
      data: { fields: { items: 'At most 500 items' } },
    });
    const save = (name: string) => getAdmin().sectionTemplates.save(buildQuoteSection({ name, items: items(80, 'd'.repeat(2000)) }));
    for (let count = 0; count < 11; count += 1) await save(`Large ${count}`);
    const failure = { code: 'LIMIT_REACHED', message: "Your company's section templates can hold at most 2 MB of items." };
    await expect(save('Large 11')).rejects.toMatchObject(failure);
    expect(await save('Large 10')).toMatchObject({ name: 'Large 10' });
  });
});
