import { randomUUID } from 'node:crypto';
import { buildQuoteDocument } from '@callout/domain/quotes/quote-document';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { acceptAsCustomer, acceptAsMember } from '../../../test/factories/accept-quote.ts';
import {
  buildCustomer,
  buildItem,
  buildQuote,
  buildQuoteLine,
  buildQuoteSection,
  buildSupplier,
  type NewQuoteInput,
} from '../../../test/factories/inputs.ts';
import { createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { buildPdf, buildPng } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadFile } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;

beforeAll(async () => {
  test = await startTestApp({ TRUST_PROXY: '1' });
});

beforeEach(async () => {
  firm = await createFirm(test);
  const customer = buildCustomer({ name: 'Helen Faleolo', email: 'helen@home.example', phone: '021 777 666', notes: 'Pays late' });
  customerId = (await getAdmin().customers.create(customer)).id;
});

const buildLine = (overrides: Parameters<typeof buildQuoteLine>[0] = {}) =>
  buildQuoteLine({ name: 'Installation', is_service: true, unit_price: '230.00', ...overrides });
const buildPricedSection = (overrides: Parameters<typeof buildQuoteSection>[0] = {}) =>
  buildQuoteSection({ items: [buildLine()], ...overrides });
const getAdmin = () => firm.people.admin.client;
const getPublicQuotes = () => test.client().publicQuotes;
const UNKNOWN_TOKEN = 'AAAAAAAAAAAAAAAAAAAAAA';
const NOT_FOUND = { code: 'NOT_FOUND', message: "The quote you're looking for doesn't exist or has been removed." };

async function createQuote(overrides: Partial<NewQuoteInput> = {}) {
  const quote = await getAdmin().quotes.create(
    buildQuote({ customer_id: customerId, title: 'Gas hot water', description: 'A new water heater.', ...overrides }),
  );
  return { ...quote, token: quote.public_path.replace('/quote/', '') };
}
type CreatedQuote = Awaited<ReturnType<typeof createQuote>>;
const acceptAllSections = ({ token, sections }: CreatedQuote) =>
  acceptAsCustomer({ publicQuotes: getPublicQuotes() }, { token, selected_option_ids: sections.map(({ id }) => id), accepted_by: 'Helen' });

async function upload(name: string, bytes: Buffer): Promise<string> {
  const id = randomUUID();
  await uploadFile(test, `/api/files/${id}`, firm.people.admin.cookie, name, bytes);
  return id;
}

describe('a public quote', () => {
  it('shows a draft with its prices to anyone with the link', async () => {
    await test.owner.query(
      `update companies set address = '1 Quay Street', phone = '09 555', email = 'office@example.com' where company_id = $1`,
      [firm.companyId],
    );
    const heater = buildPricedSection({ name: 'Water heater', description: 'Supplied and fitted', always_required: true });
    const quote = await createQuote({ sections: [heater], valid_until: '2199-12-31' });
    const publicQuote = await getPublicQuotes().get({ token: quote.token });
    expect(publicQuote).toEqual({
      status: 'draft',
      is_actionable: true,
      logo_url: null,
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      content: {
        quote_number: quote.quote_number,
        title: 'Gas hot water',
        description: 'A new water heater.',
        created_on: quote.created_at.slice(0, 10),
        valid_until: '2199-12-31',
        currency: 'NZD',
        tax_rate: '15',
        deposit: null,
        issuer: { company_name: 'Tane Plumbing', address: '1 Quay Street', phone: '09 555', email: 'office@example.com' },
        customer: { name: 'Helen Faleolo', company_name: null },
        sections: [
          {
            id: heater.id,
            name: 'Water heater',
            description: 'Supplied and fitted',
            always_required: true,
            items: [
              { name: 'Installation', description: null, is_service: true, tax_inclusive: true, quantity: '1', unit_price: '230.00' },
            ],
          },
        ],
      },
      accepted: null,
      deposit_path: null,
      member_path: null,
      attachments: [],
    });
  });

  it("has its dates in the company's time zone, whatever the server's", async () => {
    vi.stubEnv('TZ', 'America/Los_Angeles');
    try {
      expect(new Date('2026-03-31T11:30:00Z').getHours()).toBe(4);
      await test.owner.query(`update companies set timezone = 'Pacific/Auckland' where company_id = $1`, [firm.companyId]);
      const quote = await createQuote({ sections: [buildPricedSection()] });
      await test.owner.query(`update quotes set created_at = '2026-03-31T11:30:00Z' where id = $1`, [quote.id]);
      expect((await getPublicQuotes().get({ token: quote.token })).content?.created_on).toBe('2026-04-01');
      await acceptAllSections(quote);
      const { accepted } = await getPublicQuotes().get({ token: quote.token });
      expect(accepted).toMatchObject({ timezone: 'Pacific/Auckland', accepted_at: expect.stringMatching(/Z$/) as string });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('exposes no costs, margins, markups, profit, notes or staff names', async () => {
    const { id: supplier_id } = await getAdmin().suppliers.create(buildSupplier({ company_name: 'Secret Supplies' }));
    const item = await getAdmin().items.create(
      buildItem({ supplier_id, sku: 'SKU-778', cost_price: '61.37', pricing_method: 'margin', margin_percentage: '83.3' }),
    );
    const itemWithMarkup = await getAdmin().items.create(
      buildItem({ supplier_id, cost_price: '72.19', pricing_method: 'markup', markup_amount: '87.83', margin_percentage: null }),
    );
    const items = [item, itemWithMarkup].map(({ id }) => buildLine({ supplier_item_id: id, name: 'Mixer', unit_price: '100.00' }));
    const quote = await createQuote({ sections: [buildPricedSection({ items })], attachment_ids: [await upload('plan.png', buildPng())] });
    const before = await test.request('GET', `/api/public/quotes/${quote.token}`);
    await acceptAllSections(quote);
    const after = await test.request('GET', `/api/public/quotes/${quote.token}`);
    // These numbers are unusual, so that they can't appear by chance in a timestamp.
    const secrets = ['61.37', '72.19', '83.3', '87.83', 'SKU-778', 'Secret Supplies', 'Pays late', 'helen@home', '021 777', quote.id];
    const ids = [firm.companyId, customerId, item.id, supplier_id, firm.people.admin.userId];
    const FORBIDDEN_WORDS =
      /cost|margin|markup|profit|notes|supplier|sku|pricing|staff|user_id|company_id|network|browser|sha256|version|The admin|The manager/i;
    for (const { body, statusCode } of [before, after]) {
      expect(statusCode).toBe(200);
      expect(body).toContain('Mixer');
      // The random token could contain one of these words by chance, so remove the token first.
      expect(body.replaceAll(quote.token, '')).not.toMatch(FORBIDDEN_WORDS);
      for (const secret of [...secrets, ...ids]) expect(body).not.toContain(secret);
    }
  });

  it('links to the quote in the app only for members of the company', async () => {
    const { token, id } = await createQuote();
    const stranger = await createPerson(test);
    const paths = [firm.people.staff.client, stranger.client, test.client()].map(async ({ publicQuotes }) => {
      const { member_path } = await publicQuotes.get({ token });
      return member_path;
    });
    expect(await Promise.all(paths)).toEqual([`/quotes/${id}`, null, null]);
  });

  it('stays visible after the expiry date', async () => {
    const quote = await createQuote({ valid_until: '2026-01-31' });
    expect(await getPublicQuotes().get({ token: quote.token })).toMatchObject({
      status: 'expired',
      is_actionable: false,
      content: { valid_until: '2026-01-31' },
    });
  });

  it('keeps its tax rate after the company’s rate changes', async () => {
    const quote = await createQuote();
    await test.owner.query('update companies set gst_percentage = 20 where company_id = $1', [firm.companyId]);
    expect((await getPublicQuotes().get({ token: quote.token })).content?.tax_rate).toBe('15');
  });

  it('opens only with its token, and responds the same way for unknown and deleted quotes', async () => {
    const quote = await createQuote();
    const deleted = await createQuote();
    await getAdmin().quotes.remove({ id: deleted.id });
    for (const token of [UNKNOWN_TOKEN, deleted.token, quote.id, quote.quote_number, 'x', '%00']) {
      await expect(getPublicQuotes().get({ token })).rejects.toMatchObject(NOT_FOUND);
      await expect(getPublicQuotes().reject({ token })).rejects.toMatchObject(NOT_FOUND);
      await expect(getPublicQuotes().recordOpening({ token })).rejects.toMatchObject(NOT_FOUND);
      const answer = { token, selected_option_ids: [randomUUID()], accepted_by: null, content_hash: '' };
      await expect(getPublicQuotes().accept(answer)).rejects.toMatchObject(NOT_FOUND);
    }
  });

  it('accepts no other kind of answer', async () => {
    const { token } = await createQuote();
    for (const path of ['', '/delete', '/accepted']) {
      expect((await test.request('POST', `/api/public/quotes/${token}${path}`, { body: { action: 'cancel' } })).statusCode).toBe(404);
    }
  });

  it('never has its token logged', async () => {
    const { token } = await createQuote();
    await getPublicQuotes().get({ token });
    await test.request('GET', `/api/public/quotes/${token}/files/${randomUUID()}`);
    expect(test.logLines.join('')).toContain('/api/public/quotes/:token');
    expect(test.logLines.join('')).not.toContain(token);
  });
});

describe('an accepted public quote', () => {
  it('shows the accepted version after the quote is edited', async () => {
    const quote = await createQuote();
    const openQuote = await getPublicQuotes().get({ token: quote.token });
    const { quote: accepted } = await acceptAllSections(quote);
    const { accepted: acceptance } = accepted;
    expect(accepted).toMatchObject({ status: 'accepted', content: null, accepted: { accepted_by: 'Helen', is_intact: true } });
    expect(acceptance?.document).toEqual(
      openQuote.content &&
        buildQuoteDocument(
          openQuote.content,
          quote.sections.map(({ id }) => id),
        ),
    );
    const { version } = await getAdmin().quotes.get({ id: quote.id });
    const [section] = quote.sections;
    const sections = [buildPricedSection({ id: section?.id ?? '', name: 'More expensive', items: [buildLine({ unit_price: '999.00' })] })];
    await getAdmin().quotes.update({ ...quote, version, title: 'Changed', sections, attachment_ids: [] });
    await test.owner.query(`update companies set company_name = 'Renamed', currency = 'AUD' where company_id = $1`, [firm.companyId]);
    expect(await getPublicQuotes().get({ token: quote.token })).toEqual(accepted);
  });

  it('stays available after the quote is deleted', async () => {
    const quote = await createQuote({ attachment_ids: [await upload('plan.png', buildPng())] });
    const { quote: accepted } = await acceptAllSections(quote);
    await getAdmin().quotes.remove({ id: quote.id });
    expect(await getPublicQuotes().get({ token: quote.token })).toEqual(accepted);
    expect(await acceptAllSections(quote)).toMatchObject({ quote: { status: 'accepted' } });
    await expect(getPublicQuotes().reject({ token: quote.token })).rejects.toMatchObject({ code: 'QUOTE_CLOSED' });
  });

  it('names the company, not the staff member who accepted on the customer’s behalf', async () => {
    const quote = await createQuote();
    await acceptAsMember(getAdmin(), { id: quote.id });
    const { body } = await test.request('GET', `/api/public/quotes/${quote.token}`);
    expect(JSON.parse(body)).toMatchObject({ accepted: { accepted_by: 'Tane Plumbing' } });
    expect(body).not.toContain('The admin');
  });

  it('stays accepted after the expiry date', async () => {
    const quote = await createQuote({ valid_until: '2199-12-31' });
    await acceptAllSections(quote);
    await test.owner.query(`update quotes set valid_until = '2020-01-01' where id = $1`, [quote.id]);
    expect(await getPublicQuotes().get({ token: quote.token })).toMatchObject({ status: 'accepted' });
  });
});

describe('the files of a public quote', () => {
  it('open without signing in: images inline, other files as downloads', async () => {
    const attachment_ids = [await upload('plan.png', buildPng()), await upload('terms.pdf', buildPdf())];
    const quote = await createQuote({ attachment_ids });
    const { attachments } = await getPublicQuotes().get({ token: quote.token });
    const base = `/api/public/quotes/${quote.token}/files`;
    expect(attachments).toMatchObject([
      { file_name: 'plan.png', url: `${base}/${attachment_ids[0]}`, thumbnail_url: `${base}/${attachment_ids[0]}/thumbnail` },
      { file_name: 'terms.pdf', url: `${base}/${attachment_ids[1]}`, thumbnail_url: null },
    ]);
    const [picture, terms] = await Promise.all(attachments.map(({ url }) => test.request('GET', url)));
    expect(picture?.statusCode).toBe(200);
    // The bytes after the end of the image are left out.
    expect(buildPng().subarray(0, picture?.rawPayload.length)).toEqual(picture?.rawPayload);
    expect(picture?.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': expect.stringMatching(/^inline/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    expect(terms?.headers['content-disposition']).toMatch(/^attachment/);
    expect((await test.request('GET', attachments[0]?.thumbnail_url ?? '')).statusCode).toBe(200);
    const cacheHeaders = { 'if-none-match': String(picture?.headers.etag) };
    expect((await test.request('GET', attachments[0]?.url ?? '', { headers: cacheHeaders })).statusCode).toBe(304);
  });

  it('open only through the active link of the quote they belong to', async () => {
    const [attached, other, unattached] = [
      await upload('a.png', buildPng()),
      await upload('b.png', buildPng()),
      await upload('c.png', buildPng()),
    ];
    const quote = await createQuote({ attachment_ids: [attached] });
    await createQuote({ attachment_ids: [other] });
    const readStatus = async (token: string, id: string) => [
      (await test.request('GET', `/api/public/quotes/${token}/files/${id}`)).statusCode,
      (await test.request('GET', `/api/public/quotes/${token}/files/${id}/thumbnail`)).statusCode,
    ];
    expect(await readStatus(quote.token, attached)).toEqual([200, 200]);
    for (const id of [other, unattached, randomUUID(), 'x']) expect(await readStatus(quote.token, id)).toEqual([404, 404]);
    expect(await readStatus(UNKNOWN_TOKEN, attached)).toEqual([404, 404]);
    await getAdmin().quotes.remove({ id: quote.id });
    expect(await readStatus(quote.token, attached)).toEqual([404, 404]);
    // Members open the same file through this route, which requires a session.
    expect((await test.request('GET', `/api/files/${other}`)).statusCode).toBe(401);
  });

  it('are limited to 120 requests per minute for each visitor and link', async () => {
    const [id, other] = [await upload('a.png', buildPng()), await upload('b.png', buildPng())];
    const [quote, another] = [await createQuote({ attachment_ids: [id] }), await createQuote({ attachment_ids: [other] })];
    const readStatus = async (path: string) => (await test.request('GET', `/api/public/quotes/${path}`)).statusCode;
    const statuses = [];
    for (let count = 0; count < 121; count += 1) statuses.push(await readStatus(`${quote.token}/files/${id}`));
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([120, 429]);
    expect(await readStatus(`${quote.token}/files/${id}/thumbnail`)).toBe(200);
    expect(await readStatus(`${another.token}/files/${other}`)).toBe(200);
  });
});

describe('opening the public quote page', () => {
  const PHONE = 'Mozilla/5.0 (Linux; Android 15; CUBOT NOTE) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
  const openPage = ({ token }: CreatedQuote, userAgent: string, cookie?: string) =>
    test.request('POST', `/api/public/quotes/${token}/opened`, { body: {}, cookie, headers: { 'user-agent': userAgent } });
  const readOpenings = async ({ id }: CreatedQuote) => {
    const { first_opened_at, last_opened_at } = await getAdmin().quotes.get({ id });
    return { first_opened_at, last_opened_at };
  };
  const NEVER_OPENED = { first_opened_at: null, last_opened_at: null };

  it('records the first and the latest time it was opened', async () => {
    const quote = await createQuote();
    expect(await readOpenings(quote)).toEqual(NEVER_OPENED);
    await openPage(quote, PHONE);
    const first = await readOpenings(quote);
    expect(first.first_opened_at).toEqual(expect.any(String));
    await test.owner.query(`update public_links set first_opened_at = '2026-01-01' where token = $1`, [quote.token]);
    await openPage(quote, PHONE);
    const second = await readOpenings(quote);
    expect(second.first_opened_at).toBe('2026-01-01T00:00:00.000Z');
    expect(Date.parse(second.last_opened_at ?? '')).toBeGreaterThanOrEqual(Date.parse(first.last_opened_at ?? ''));
  });

  it('is recorded for members of other companies, but not for members of the quote’s company', async () => {
    const quote = await createQuote();
    await getPublicQuotes().get({ token: quote.token });
    await openPage(quote, PHONE, firm.people.staff.cookie);
    expect(await readOpenings(quote)).toEqual(NEVER_OPENED);
    await openPage(quote, PHONE, (await createPerson(test)).cookie);
    expect(await readOpenings(quote)).not.toEqual(NEVER_OPENED);
  });

  it.each([
    '',
    'WhatsApp/2.24.1 A',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  ])('is not recorded for a link preview: %s', async (userAgent) => {
    const quote = await createQuote();
    expect((await openPage(quote, userAgent)).statusCode).toBe(200);
    expect(await readOpenings(quote)).toEqual(NEVER_OPENED);
  });
});

describe('the rate limit for public quotes', () => {
  const requestFrom = (token: string, address: string) =>
    test.request('GET', `/api/public/quotes/${token}`, { headers: { 'x-forwarded-for': address } });

  it('applies to each link, so guessing or overusing one link does not block other links on the same network', async () => {
    const [one, other] = [await createQuote(), await createQuote()];
    const address = '203.0.113.9';
    const statuses = await Promise.all(Array.from({ length: 121 }, async () => (await requestFrom(one.token, address)).statusCode));
    expect(statuses.filter((status) => status !== 200)).toEqual([429]);
    const guesses = Array.from({ length: 121 }, (_, index) =>
      requestFrom(`${UNKNOWN_TOKEN.slice(3)}${String(index).padStart(3, '0')}`, address),
    );
    expect((await Promise.all(guesses)).filter(({ statusCode }) => statusCode !== 404)).toMatchObject([{ statusCode: 429 }]);
    expect((await requestFrom(other.token, address)).statusCode).toBe(200);
    expect((await requestFrom(one.token, '203.0.113.10')).statusCode).toBe(200);
  });
});
