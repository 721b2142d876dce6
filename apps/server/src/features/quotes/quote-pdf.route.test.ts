import type { Quote } from '@callout/contract/quotes';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { acceptAsCustomer, acceptAsMember } from '../../../test/factories/accept-quote.ts';
import { buildCustomer, buildQuote, buildQuoteLine, buildQuoteSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;
let quote: Quote;
const [required, option] = [
  buildQuoteSection({ name: 'Water heater', always_required: true, items: [buildQuoteLine({ unit_price: '230.00' })] }),
  buildQuoteSection({ name: 'Outdoor tap', items: [buildQuoteLine({ unit_price: '92.00' })] }),
];

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  const { customers, quotes } = firm.people.admin.client;
  const { id: customer_id } = await customers.create(buildCustomer({ name: 'Helen Faleolo' }));
  quote = await quotes.create(buildQuote({ customer_id, sections: [required, option] }));
});

const getToken = ({ public_path }: Quote) => public_path.replace('/quote/', '');
const requestAsMember = (path: string, role: keyof Firm['people'] = 'staff') =>
  test.request('GET', path, { cookie: firm.people[role].cookie });
const readTotal = async (bytes: Uint8Array) => (await readPdf(bytes)).amounts.findLast((amount) => amount.startsWith('$'));
const acceptQuote = () =>
  acceptAsCustomer(test.client(), { token: getToken(quote), selected_option_ids: [option.id], accepted_by: 'Tevita Faleolo' });

describe('a quote PDF', () => {
  it('is available to every member, contains the company logo, and is named after the quote', async () => {
    await uploadFile(
      test,
      '/api/company/logo',
      firm.people.admin.cookie,
      'logo.png',
      await sharp({ create: { width: 600, height: 200, channels: 4, background: '#0f766e' } })
        .png()
        .toBuffer(),
    );
    const response = await requestAsMember(`/api/quotes/${quote.id}/pdf`);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Quote ${quote.quote_number}.pdf"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(await readTotal(response.rawPayload)).toBe('$230.00');
    expect(response.rawPayload.includes('/Subtype /Image')).toBe(true);
  });

  it('is not available to anyone else', async () => {
    const other = await createFirm(test);
    const path = `/api/quotes/${quote.id}/pdf`;
    expect((await test.request('GET', path)).statusCode).toBe(401);
    for (const url of [path, `/api/quotes/${quote.id}/accepted.pdf`]) {
      expect((await test.request('GET', url, { cookie: other.people.admin.cookie })).statusCode).toBe(404);
    }
    expect((await requestAsMember('/api/quotes/no-id/pdf')).statusCode).toBe(404);
    expect((await requestAsMember(`/api/quotes/${quote.id}/accepted.pdf`)).statusCode).toBe(404);
  });

  it('contains the customer’s selection and ignores unknown section ids', async () => {
    const path = `/api/public/quotes/${getToken(quote)}/pdf`;
    const total = async (query: string) => readTotal((await test.request('GET', `${path}${query}`)).rawPayload);
    expect(await total('')).toBe('$230.00');
    expect(await total(`?sections=${option.id}`)).toBe('$322.00');
    expect(await total(`?sections=${crypto.randomUUID()},x,,${option.id}`)).toBe('$322.00');
    expect(await total('?sections=&sections=1')).toBe('$230.00');
    for (const token of ['nothing', 'a'.repeat(22), '%00']) {
      expect((await test.request('GET', `/api/public/quotes/${token}/pdf`)).statusCode).toBe(404);
    }
  });

  it('shows the accepted version after the quote is edited and deleted', async () => {
    const { job_number } = await acceptQuote();
    const { quotes, jobs } = firm.people.admin.client;
    const { version, title, valid_until, acceptance } = await quotes.get({ id: quote.id });
    const sections = [buildQuoteSection({ always_required: true, items: [buildQuoteLine({ unit_price: '999.00' })] })];
    await quotes.update({ id: quote.id, version, title, valid_until, sections, attachment_ids: [] });
    expect(await readTotal((await requestAsMember(`/api/quotes/${quote.id}/pdf`)).rawPayload)).toBe('$322.00');
    await quotes.remove({ id: quote.id });
    expect((await requestAsMember(`/api/quotes/${quote.id}/pdf`)).statusCode).toBe(404);
    const jobId = acceptance?.job_id ?? '';
    // The job's quote id is cleared, but its quote number remains, so that the job page can link to the accepted quote.
    expect(await jobs.get({ id: jobId })).toMatchObject({ job_number, quote_id: null, quote_number: quote.quote_number });
    const responses = [
      await test.request('GET', `/api/public/quotes/${getToken(quote)}/pdf?sections=${required.id}`),
      await requestAsMember(`/api/quotes/${quote.id}/accepted.pdf`),
      await requestAsMember(`/api/jobs/${jobId}/accepted-quote.pdf`),
    ];
    for (const { rawPayload, headers } of responses) {
      const { text } = await readPdf(rawPayload);
      expect(text).toMatch(/Accepted by Tevita Faleolo on \w{3} \d+, \d{4}/);
      expect(await readTotal(rawPayload)).toBe('$322.00');
      expect(headers['content-disposition']).toBe(`attachment; filename="Accepted quote ${quote.quote_number}.pdf"`);
    }
  });

  it('names the company on the public page, not the member who accepted on the customer’s behalf', async () => {
    await acceptAsMember(firm.people.admin.client, { id: quote.id });
    const readAcceptedBy = async (response: { rawPayload: Uint8Array }) =>
      /Accepted by (.+) on /.exec((await readPdf(response.rawPayload)).text)?.[1];
    expect(await readAcceptedBy(await test.request('GET', `/api/public/quotes/${getToken(quote)}/pdf`))).toBe('Tane Plumbing');
    expect(await readAcceptedBy(await requestAsMember(`/api/quotes/${quote.id}/accepted.pdf`))).toBe('The admin');
  });

  it('responds with 500, not 404, when the server fails', async () => {
    await test.owner.query('alter table quote_items rename to quote_items_away');
    try {
      expect((await test.request('GET', `/api/public/quotes/${getToken(quote)}/pdf`)).statusCode).toBe(500);
    } finally {
      await test.owner.query('alter table quote_items_away rename to quote_items');
    }
  });

  it('can be rendered 20 times concurrently', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => requestAsMember(`/api/quotes/${quote.id}/pdf`)));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200));
  });

  it('is not delayed when another company renders many PDFs', async () => {
    const busyFirm = await createFirm(test);
    const { customers, quotes } = busyFirm.people.admin.client;
    const { id: customer_id } = await customers.create(buildCustomer());
    const longSection = buildQuoteSection({ items: Array.from({ length: 200 }, () => buildQuoteLine()) });
    const { id } = await quotes.create(buildQuote({ customer_id, sections: [longSection] }));
    const responseOrder: string[] = [];
    const requestPdf = async (company: string, path: string, cookie: string) => {
      expect((await test.request('GET', path, { cookie })).statusCode).toBe(200);
      responseOrder.push(company);
    };
    const requestBusyPdf = () => requestPdf('busy', `/api/quotes/${id}/pdf`, busyFirm.people.admin.cookie);
    const requestOtherPdf = () => requestPdf('other', `/api/quotes/${quote.id}/pdf`, firm.people.staff.cookie);
    // Starts both workers. Otherwise the second PDF would wait for its worker to load, however fair the queue is.
    await Promise.all(Array.from({ length: 5 }, () => [requestBusyPdf(), requestOtherPdf()]).flat());
    responseOrder.length = 0;
    const busyRequests = Array.from({ length: 20 }, requestBusyPdf);
    await vi.waitUntil(() => responseOrder.length > 0, { timeout: 10_000, interval: 1 });
    await requestOtherPdf();
    await Promise.all(busyRequests);
    expect(responseOrder.indexOf('other')).toBeLessThan(15);
  });
});
