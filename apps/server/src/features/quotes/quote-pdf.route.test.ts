import type { Quote } from '@callout/contract/quotes';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readPdf } from '../../../../../e2e/support/pdf-text.ts';
import { newCustomer, newQuote, newQuoteLine, newSection } from '../../../test/factories/inputs.ts';
import { createFirm, type Firm } from '../../../test/factories/people.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;
let quote: Quote;
const [required, option] = [
  newSection({ name: 'Water heater', always_required: true, items: [newQuoteLine({ unit_price: '230.00' })] }),
  newSection({ name: 'Outdoor tap', items: [newQuoteLine({ unit_price: '92.00' })] }),
];

beforeAll(async () => {
  test = await startTestApp();
});

beforeEach(async () => {
  firm = await createFirm(test);
  const { customers, quotes } = firm.people.admin.client;
  const { id: customer_id } = await customers.create(newCustomer({ name: 'Helen Faleolo' }));
  quote = await quotes.create(newQuote({ customer_id, sections: [required, option] }));
});

const tokenOf = ({ public_path }: Quote) => public_path.replace('/quote/', '');
const asMember = (path: string, role: keyof Firm['people'] = 'staff') => test.request('GET', path, { cookie: firm.people[role].cookie });
const totalsOf = async (bytes: Uint8Array) => (await readPdf(bytes)).amounts.findLast((amount) => amount.startsWith('$'));
const accept = () =>
  test.client().publicQuotes.accept({ token: tokenOf(quote), selected_option_ids: [option.id], accepted_by: 'Tevita Faleolo' });

describe('the PDF of a quote', () => {
  it('is for every member of the company, with its logo, and named after the quote', async () => {
    await uploadTo(
      test,
      '/api/company/logo',
      firm.people.admin.cookie,
      'logo.png',
      await sharp({ create: { width: 600, height: 200, channels: 4, background: '#0f766e' } })
        .png()
        .toBuffer(),
    );
    const answer = await asMember(`/api/quotes/${quote.id}/pdf`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Quote ${quote.quote_number}.pdf"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(await totalsOf(answer.rawPayload)).toBe('$230.00');
    expect(answer.rawPayload.includes('/Subtype /Image')).toBe(true);
  });

  it('is for nobody else', async () => {
    const other = await createFirm(test);
    const path = `/api/quotes/${quote.id}/pdf`;
    expect((await test.request('GET', path)).statusCode).toBe(401);
    for (const url of [path, `/api/quotes/${quote.id}/accepted.pdf`]) {
      expect((await test.request('GET', url, { cookie: other.people.admin.cookie })).statusCode).toBe(404);
    }
    expect((await asMember('/api/quotes/no-id/pdf')).statusCode).toBe(404);
    expect((await asMember(`/api/quotes/${quote.id}/accepted.pdf`)).statusCode).toBe(404);
  });

  it('of the public page has what the customer chose; ids of other quotes choose nothing', async () => {
    const path = `/api/public/quotes/${tokenOf(quote)}/pdf`;
    const total = async (query: string) => totalsOf((await test.request('GET', `${path}${query}`)).rawPayload);
    expect(await total('')).toBe('$230.00');
    expect(await total(`?sections=${option.id}`)).toBe('$322.00');
    expect(await total(`?sections=${crypto.randomUUID()},x,,${option.id}`)).toBe('$322.00');
    expect(await total('?sections=&sections=1')).toBe('$230.00');
    for (const token of ['nothing', 'a'.repeat(22), '%00']) {
      expect((await test.request('GET', `/api/public/quotes/${token}/pdf`)).statusCode).toBe(404);
    }
  });

  it('of what was accepted stays as it was, also when the quote is changed and then deleted', async () => {
    const { job_number } = await accept();
    const { quotes, jobs } = firm.people.admin.client;
    const { version, title, valid_until, acceptance } = await quotes.get({ id: quote.id });
    const sections = [newSection({ always_required: true, items: [newQuoteLine({ unit_price: '999.00' })] })];
    await quotes.update({ id: quote.id, version, title, valid_until, sections, attachment_ids: [] });
    expect(await totalsOf((await asMember(`/api/quotes/${quote.id}/pdf`)).rawPayload)).toBe('$999.00');
    await quotes.remove({ id: quote.id });
    expect((await asMember(`/api/quotes/${quote.id}/pdf`)).statusCode).toBe(404);
    const jobId = acceptance?.job_id ?? '';
    // Its page still knows that there is one to open.
    expect(await jobs.get({ id: jobId })).toMatchObject({ job_number, quote_id: null, quote_number: quote.quote_number });
    const answers = [
      await test.request('GET', `/api/public/quotes/${tokenOf(quote)}/pdf?sections=${required.id}`),
      await asMember(`/api/quotes/${quote.id}/accepted.pdf`),
      await asMember(`/api/jobs/${jobId}/accepted-quote.pdf`),
    ];
    for (const { rawPayload, headers } of answers) {
      const { text } = await readPdf(rawPayload);
      expect(text).toMatch(/Accepted by Tevita Faleolo on \w{3} \d+, \d{4}/);
      expect(await totalsOf(rawPayload)).toBe('$322.00');
      expect(headers['content-disposition']).toBe(`attachment; filename="Accepted quote ${quote.quote_number}.pdf"`);
    }
  });

  it('names the company to the customer, not the member who accepted it for them', async () => {
    await firm.people.admin.client.quotes.accept({ id: quote.id });
    const acceptedBy = async (answer: { rawPayload: Uint8Array }) =>
      /Accepted by (.+) on /.exec((await readPdf(answer.rawPayload)).text)?.[1];
    expect(await acceptedBy(await test.request('GET', `/api/public/quotes/${tokenOf(quote)}/pdf`))).toBe('Tane Plumbing');
    expect(await acceptedBy(await asMember(`/api/quotes/${quote.id}/accepted.pdf`))).toBe('The admin');
  });

  it('is not said to be removed when the server fails', async () => {
    await test.owner.query('alter table quote_items rename to quote_items_away');
    try {
      expect((await test.request('GET', `/api/public/quotes/${tokenOf(quote)}/pdf`)).statusCode).toBe(500);
    } finally {
      await test.owner.query('alter table quote_items_away rename to quote_items');
    }
  });

  it('is made many times at once, off the thread that serves calls', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => asMember(`/api/quotes/${quote.id}/pdf`)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
  });

  it('of one company does not wait for the many of another', async () => {
    const busy = await createFirm(test);
    const { customers, quotes } = busy.people.admin.client;
    const { id: customer_id } = await customers.create(newCustomer());
    const { id } = await quotes.create(newQuote({ customer_id, sections: [required] }));
    const answered: string[] = [];
    const ask = async (who: string, path: string, cookie: string) => {
      expect((await test.request('GET', path, { cookie })).statusCode).toBe(200);
      answered.push(who);
    };
    const many = Array.from({ length: 20 }, () => ask('busy', `/api/quotes/${id}/pdf`, busy.people.admin.cookie));
    await vi.waitUntil(() => answered.length > 0, { timeout: 10_000, interval: 1 });
    await ask('other', `/api/quotes/${quote.id}/pdf`, firm.people.staff.cookie);
    await Promise.all(many);
    expect(answered.indexOf('other')).toBeLessThan(15);
  });
});
