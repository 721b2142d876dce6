import { createHash, randomUUID } from 'node:crypto';
import type { Quote } from '@callout/contract/quotes';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { acceptAsCustomer } from '../../../test/factories/accept-quote.ts';
import { buildCustomer, buildQuote, buildQuoteLine, buildQuoteSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { waitForQueue } from '../../../test/queue.ts';
import { buildPdf, buildPng, ONE_PIXEL_PNG } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;
let quote: Quote;
let fileId: string;

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  const { id: customer_id } = await getAdmin().customers.create(buildCustomer({ name: 'Helen Faleolo' }));
  fileId = await uploadAttachment('a.png', buildPng());
  const sections = [buildQuoteSection({ items: [buildQuoteLine({ unit_price: '460.00' })] })];
  quote = await getAdmin().quotes.create(buildQuote({ customer_id, sections, attachment_ids: [fileId] }));
});

const getAdmin = () => firm.people.admin.client;
const getToken = () => quote.public_path.replace('/quote/', '');
const readPublicQuote = () => test.client().publicQuotes.get({ token: getToken() });
const acceptQuote = () =>
  acceptAsCustomer(test.client(), { token: getToken(), selected_option_ids: quote.sections.map(({ id }) => id), accepted_by: 'Helen' });

async function uploadAttachment(name: string, bytes: Buffer): Promise<string> {
  const id = randomUUID();
  await uploadFile(test, `/api/files/${id}`, firm.people.admin.cookie, name, bytes);
  return id;
}

async function saveWithFiles(attachment_ids: string[]): Promise<void> {
  const { version } = await getAdmin().quotes.get({ id: quote.id });
  await getAdmin().quotes.update({ ...quote, version, attachment_ids });
}

it('an accepted quote lists the accepted sections that were changed afterwards', async () => {
  await acceptQuote();
  const readChangedSectionIds = async () => (await getAdmin().quotes.get({ id: quote.id })).acceptance?.changed_section_ids;
  expect(await readChangedSectionIds()).toEqual([]);
  await saveWithFiles([]);
  expect(await readChangedSectionIds()).toEqual([]);
  const { version } = await getAdmin().quotes.get({ id: quote.id });
  const [section] = quote.sections;
  if (!section) throw new Error('The quote has no section');
  const sections = [{ ...section, items: section.items.map((item) => ({ ...item, unit_price: '470.00' })) }];
  await getAdmin().quotes.update({ ...quote, version, sections, attachment_ids: [] });
  expect(await readChangedSectionIds()).toEqual([section.id]);
});

describe('the files of an accepted quote', () => {
  const readStatuses = async (id: string) => [
    (await test.request('GET', `/api/public/quotes/${getToken()}/files/${id}`)).statusCode,
    (await test.request('GET', `/api/public/quotes/${getToken()}/files/${id}/thumbnail`)).statusCode,
  ];

  it('stay available after the quote’s files are replaced and the quote is deleted', async () => {
    const { quote: accepted } = await acceptQuote();
    expect(accepted.attachments).toMatchObject([{ id: fileId, file_name: 'a.png', thumbnail_url: expect.any(String) as string }]);
    const later = await uploadAttachment('b.png', buildPng());
    await saveWithFiles([later]);
    expect((await getAdmin().quotes.get({ id: quote.id })).attachments).toMatchObject([{ id: later }]);
    expect([await readPublicQuote(), await readStatuses(fileId), await readStatuses(later)]).toEqual([accepted, [200, 200], [404, 404]]);
    await getAdmin().quotes.remove({ id: quote.id });
    await waitForQueue(test);
    expect([await readPublicQuote(), await readStatuses(fileId), await readStatuses(later)]).toEqual([accepted, [200, 200], [404, 404]]);
    const { rows } = await test.owner.query('select owner_kind, owner_id from files where company_id = $1 and purpose = $2', [
      firm.companyId,
      'attachment',
    ]);
    expect(rows).toEqual([{ owner_kind: 'quote_acceptance', owner_id: quote.id }]);
  });

  it('download under their accepted name after the quote is deleted', async () => {
    await acceptQuote();
    await test.owner.query(`update files set file_name = 'forged.png' where id = $1`, [fileId]);
    await getAdmin().quotes.remove({ id: quote.id });
    await waitForQueue(test);
    const { statusCode, headers, rawPayload } = await test.request('GET', `/api/public/quotes/${getToken()}/files/${fileId}`);
    // The public copy omits what follows the end of the image.
    expect([statusCode, headers['content-disposition'], rawPayload]).toEqual([200, "inline; filename*=UTF-8''a.png", ONE_PIXEL_PNG]);
  });

  it('can be removed from the quote and added again', async () => {
    const { quote: accepted } = await acceptQuote();
    const later = await uploadAttachment('terms.pdf', buildPdf());
    await saveWithFiles([later]);
    await saveWithFiles([later, fileId]);
    expect((await getAdmin().quotes.get({ id: quote.id })).attachments).toMatchObject([{ id: later }, { id: fileId }]);
    expect([await readPublicQuote(), await readStatuses(fileId)]).toEqual([accepted, [200, 200]]);
  });

  it('are the files that the customer saw, so accepting fails if a file has changed', async () => {
    const acceptWithHash = (hash: string | null) =>
      test.client().publicQuotes.accept({
        token: getToken(),
        selected_option_ids: quote.sections.map(({ id }) => id),
        accepted_by: 'Helen',
        content_hash: hash ?? '',
      });
    const seen = await readPublicQuote();
    await saveWithFiles([await uploadAttachment('other terms.pdf', buildPdf())]);
    await expect(acceptWithHash(seen.content_hash)).rejects.toMatchObject({ code: 'QUOTE_CHANGED' });
    const { quote: accepted } = await acceptWithHash((await readPublicQuote()).content_hash);
    expect(accepted.attachments).toMatchObject([{ file_name: 'other terms.pdf' }]);
  });

  it('are deleted when they are removed from an unanswered quote', async () => {
    await saveWithFiles([]);
    await waitForQueue(test);
    expect((await test.owner.query('select from files where company_id = $1', [firm.companyId])).rowCount).toBe(0);
  });
});

describe('the acceptance record', () => {
  const readIntegrity = async () => [
    (await readPublicQuote()).accepted?.is_intact,
    (await getAdmin().quotes.get({ id: quote.id })).acceptance?.is_intact,
  ];
  const readAcceptanceRow = async () => {
    const { rows } = await test.owner.query<{ record: string; sha256: string }>(
      'select record, sha256 from quote_acceptances where quote_id = $1',
      [quote.id],
    );
    return rows[0] ?? { record: '', sha256: '' };
  };

  it('contains the whole agreement and matches its hash', async () => {
    await acceptQuote();
    const { record, sha256 } = await readAcceptanceRow();
    expect(createHash('sha256').update(record).digest('hex')).toBe(sha256);
    expect(JSON.parse(record)).toMatchObject({
      quote_id: quote.id,
      accepted_by: 'Helen',
      by_customer: true,
      network_address: '127.0.0.1',
      total_amount: '460.00',
      section_ids: quote.sections.map(({ id }) => id),
      document: { total_amount: '460.00', summary: { total: '$460.00' } },
      files: [{ id: fileId, file_name: 'a.png', file_size: buildPng().length, file_type: 'image/png' }],
    });
    expect(await readIntegrity()).toEqual([true, true]);
  });

  it.each([
    ['a cent', '"total_amount":"460.00"', '"total_amount":"460.01"'],
    ['a name', '"accepted_by":"Helen"', '"accepted_by":"Hellen"'],
    ['a time', '"accepted_at":"2', '"accepted_at":"3'],
    ['a file name', '"file_name":"a.png"', '"file_name":"b.png"'],
  ])('is reported as tampered with if %s in the record is changed', async (_, before, after) => {
    await acceptQuote();
    const { record } = await readAcceptanceRow();
    expect(record).toContain(before);
    await test.owner.query('update quote_acceptances set record = $2 where quote_id = $1', [quote.id, record.replace(before, after)]);
    expect(await readIntegrity()).toEqual([false, false]);
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
  ])('is reported as tampered with if a column is changed: %s', async (change) => {
    await acceptQuote();
    await test.owner.query(`update quote_acceptances set ${change} where quote_id = $1`, [quote.id]);
    expect(await readIntegrity()).toEqual([false, false]);
  });

  it('causes a warning on the PDF if it was tampered with', async () => {
    await acceptQuote();
    const pdfs = [`/api/public/quotes/${getToken()}/pdf`, `/api/quotes/${quote.id}/accepted.pdf`];
    const readPdfText = async (path: string) =>
      (await readPdf((await test.request('GET', path, { cookie: firm.people.admin.cookie })).rawPayload)).text;
    const warning = 'This copy may have been altered since it was saved.';
    for (const path of pdfs) expect(await readPdfText(path)).not.toContain(warning);
    await test.owner.query(`update quote_acceptances set accepted_by = 'Forged' where quote_id = $1`, [quote.id]);
    for (const path of pdfs) expect(await readPdfText(path)).toContain(warning);
  });

  it.each(['not JSON', '{}', '"text"', '{"document":"\\u0000"}'])('fails with a clear message if it is unreadable: %s', async (record) => {
    await acceptQuote();
    await test.owner.query('update quote_acceptances set record = $2 where quote_id = $1', [quote.id, record]);
    const failure = {
      code: 'QUOTE_CLOSED',
      message: 'This quote was accepted, but its saved copy can no longer be read.',
      data: { status: 'accepted' },
    };
    await expect(readPublicQuote()).rejects.toMatchObject(failure);
    await expect(acceptQuote()).rejects.toMatchObject({ code: 'QUOTE_CLOSED' });
    for (const path of [`/api/public/quotes/${getToken()}/pdf`, `/api/quotes/${quote.id}/accepted.pdf`]) {
      const response = await test.request('GET', path, { cookie: firm.people.admin.cookie });
      expect([response.statusCode, response.json()]).toMatchObject([409, failure]);
    }
    expect((await getAdmin().quotes.get({ id: quote.id })).acceptance?.is_intact).toBe(false);
    await saveWithFiles([]);
    await getAdmin().quotes.remove({ id: quote.id });
  });
});
