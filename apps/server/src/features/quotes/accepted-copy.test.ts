import { createHash, randomUUID } from 'node:crypto';
import type { Quote } from '@callout/contract/quotes';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { newCustomer, newQuote, newQuoteLine, newSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { pdf, png } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;
let quote: Quote;
let fileId: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  const { id: customer_id } = await admin().customers.create(newCustomer({ name: 'Helen Faleolo' }));
  fileId = await upload('a.png', png());
  const sections = [newSection({ items: [newQuoteLine({ unit_price: '460.00' })] })];
  quote = await admin().quotes.create(newQuote({ customer_id, sections, attachment_ids: [fileId] }));
});

const admin = () => firm.people.admin.client;
const token = () => quote.public_path.replace('/quote/', '');
const page = () => test.client().publicQuotes.get({ token: token() });
const accept = () =>
  test.client().publicQuotes.accept({ token: token(), selected_option_ids: quote.sections.map(({ id }) => id), accepted_by: 'Helen' });

async function upload(name: string, bytes: Buffer): Promise<string> {
  const id = randomUUID();
  await uploadTo(test, `/api/files/${id}`, firm.people.admin.cookie, name, bytes);
  return id;
}

async function saveWith(attachment_ids: string[]): Promise<void> {
  const { version } = await admin().quotes.get({ id: quote.id });
  await admin().quotes.update({ ...quote, version, attachment_ids });
}

it('an accepted section that was changed afterwards is named', async () => {
  await accept();
  const changed = async () => (await admin().quotes.get({ id: quote.id })).acceptance?.changed_section_ids;
  expect(await changed()).toEqual([]);
  await saveWith([]);
  expect(await changed()).toEqual([]);
  const { version } = await admin().quotes.get({ id: quote.id });
  const [section] = quote.sections;
  if (!section) throw new Error('This quote has no section');
  const sections = [{ ...section, items: section.items.map((item) => ({ ...item, unit_price: '470.00' })) }];
  await admin().quotes.update({ ...quote, version, sections, attachment_ids: [] });
  expect(await changed()).toEqual([section.id]);
});

describe('the files of what was accepted', () => {
  const opened = async (id: string) => [
    (await test.request('GET', `/api/public/quotes/${token()}/files/${id}`)).statusCode,
    (await test.request('GET', `/api/public/quotes/${token()}/files/${id}/thumbnail`)).statusCode,
  ];

  it('stay as they were, also when the quote gets others and then is deleted', async () => {
    const { quote: accepted } = await accept();
    expect(accepted.attachments).toMatchObject([{ id: fileId, file_name: 'a.png', thumbnail_url: expect.any(String) as string }]);
    const later = await upload('b.png', png());
    await saveWith([later]);
    expect((await admin().quotes.get({ id: quote.id })).attachments).toMatchObject([{ id: later }]);
    expect([await page(), await opened(fileId), await opened(later)]).toEqual([accepted, [200, 200], [404, 404]]);
    await admin().quotes.remove({ id: quote.id });
    await waitForQueue(test);
    expect([await page(), await opened(fileId), await opened(later)]).toEqual([accepted, [200, 200], [404, 404]]);
    const { rows } = await test.owner.query('select owner_kind, owner_id from files where company_id = $1 and purpose = $2', [
      firm.companyId,
      'attachment',
    ]);
    expect(rows).toEqual([{ owner_kind: 'quote_acceptance', owner_id: quote.id }]);
  });

  it('open under the name they had, also when the quote is deleted with them', async () => {
    await accept();
    await test.owner.query(`update files set file_name = 'forged.png' where id = $1`, [fileId]);
    await admin().quotes.remove({ id: quote.id });
    await waitForQueue(test);
    const { statusCode, headers, rawPayload } = await test.request('GET', `/api/public/quotes/${token()}/files/${fileId}`);
    expect([statusCode, headers['content-disposition'], rawPayload]).toEqual([200, "inline; filename*=UTF-8''a.png", png()]);
  });

  it('can be taken off the quote and put on it again', async () => {
    const { quote: accepted } = await accept();
    const later = await upload('terms.pdf', pdf());
    await saveWith([later]);
    await saveWith([later, fileId]);
    expect((await admin().quotes.get({ id: quote.id })).attachments).toMatchObject([{ id: later }, { id: fileId }]);
    expect([await page(), await opened(fileId)]).toEqual([accepted, [200, 200]]);
  });

  it('are those that the customer saw: a quote with another file by now is not accepted', async () => {
    const acceptAs = (hash: string | null) =>
      test.client().publicQuotes.accept({
        token: token(),
        selected_option_ids: quote.sections.map(({ id }) => id),
        accepted_by: 'Helen',
        content_hash: hash ?? '',
      });
    const seen = await page();
    await saveWith([await upload('other terms.pdf', pdf())]);
    await expect(acceptAs(seen.content_hash)).rejects.toMatchObject({ code: 'QUOTE_CHANGED' });
    const { quote: accepted } = await acceptAs((await page()).content_hash);
    expect(accepted.attachments).toMatchObject([{ file_name: 'other terms.pdf' }]);
  });

  it('go when a quote without an answer drops them', async () => {
    await saveWith([]);
    await waitForQueue(test);
    expect((await test.owner.query('select from files where company_id = $1', [firm.companyId])).rowCount).toBe(0);
  });
});

describe('the record of what was accepted', () => {
  const isIntact = async () => [(await page()).accepted?.is_intact, (await admin().quotes.get({ id: quote.id })).acceptance?.is_intact];
  const readKept = async () => {
    const { rows } = await test.owner.query<{ record: string; sha256: string }>(
      'select record, sha256 from quote_acceptances where quote_id = $1',
      [quote.id],
    );
    return rows[0] ?? { record: '', sha256: '' };
  };

  it('names everything that was agreed on, and has a hash', async () => {
    await accept();
    const { record, sha256 } = await readKept();
    expect(createHash('sha256').update(record).digest('hex')).toBe(sha256);
    expect(JSON.parse(record)).toMatchObject({
      quote_id: quote.id,
      accepted_by: 'Helen',
      by_customer: true,
      network_address: '127.0.0.1',
      total_amount: '460.00',
      section_ids: quote.sections.map(({ id }) => id),
      document: { total_amount: '460.00', summary: { total: '$460.00' } },
      files: [{ id: fileId, file_name: 'a.png', file_size: png().length, file_type: 'image/png' }],
    });
    expect(await isIntact()).toEqual([true, true]);
  });

  it.each([
    ['a cent', '"total_amount":"460.00"', '"total_amount":"460.01"'],
    ['a name', '"accepted_by":"Helen"', '"accepted_by":"Hellen"'],
    ['a time', '"accepted_at":"2', '"accepted_at":"3'],
    ['a file name', '"file_name":"a.png"', '"file_name":"b.png"'],
  ])('fails once %s in it is changed', async (_, before, after) => {
    await accept();
    const { record } = await readKept();
    expect(record).toContain(before);
    await test.owner.query('update quote_acceptances set record = $2 where quote_id = $1', [quote.id, record.replace(before, after)]);
    expect(await isIntact()).toEqual([false, false]);
  });

  it.each([
    'total_amount = 460.01',
    `accepted_by = 'Forged'`,
    `accepted_at = accepted_at + interval '1 millisecond'`,
    'by_customer = false',
    'network_address = null',
    `browser = 'Another'`,
    `section_ids = '{}'`,
    `job_number = 'J1'`,
  ])('fails once its row says something else: %s', async (change) => {
    await accept();
    await test.owner.query(`update quote_acceptances set ${change} where quote_id = $1`, [quote.id]);
    expect(await isIntact()).toEqual([false, false]);
  });

  it('says in its PDF that it was changed', async () => {
    await accept();
    const pdfs = [`/api/public/quotes/${token()}/pdf`, `/api/quotes/${quote.id}/accepted.pdf`];
    const textOf = async (path: string) =>
      (await readPdf((await test.request('GET', path, { cookie: firm.people.admin.cookie })).rawPayload)).text;
    const warning = 'This copy does not match the fingerprint it was saved with.';
    for (const path of pdfs) expect(await textOf(path)).not.toContain(warning);
    await test.owner.query(`update quote_acceptances set accepted_by = 'Forged' where quote_id = $1`, [quote.id]);
    for (const path of pdfs) expect(await textOf(path)).toContain(warning);
  });

  it.each(['no JSON', '{}', '"text"', '{"document":"\\u0000"}'])(
    'that somebody made unreadable (%s) is said so in one sentence',
    async (record) => {
      await accept();
      await test.owner.query('update quote_acceptances set record = $2 where quote_id = $1', [quote.id, record]);
      const refused = {
        code: 'QUOTE_CLOSED',
        message: 'This quote was accepted, but the copy of it that was kept can no longer be read.',
        data: { status: 'accepted' },
      };
      await expect(page()).rejects.toMatchObject(refused);
      await expect(accept()).rejects.toMatchObject({ code: 'QUOTE_CLOSED' });
      for (const path of [`/api/public/quotes/${token()}/pdf`, `/api/quotes/${quote.id}/accepted.pdf`]) {
        const answer = await test.request('GET', path, { cookie: firm.people.admin.cookie });
        expect([answer.statusCode, answer.json()]).toMatchObject([409, refused]);
      }
      expect((await admin().quotes.get({ id: quote.id })).acceptance?.is_intact).toBe(false);
      await saveWith([]);
      await admin().quotes.remove({ id: quote.id });
    },
  );
});
