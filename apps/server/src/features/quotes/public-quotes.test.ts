import { randomUUID } from 'node:crypto';
import { quoteDocument } from '@callout/domain/quotes/quote-document';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type NewQuoteInput,
  newCustomer,
  newItem,
  newQuote,
  newQuoteLine,
  newSection,
  newSupplier,
} from '../../../test/factories/inputs.ts';
import { createFirm, createPerson, type Firm } from '../../../test/factories/people.ts';
import { pdf, png } from '../../../test/sample-files.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { uploadTo } from '../../../test/upload.ts';

let test: TestApp;
let firm: Firm;
let customerId: string;

beforeAll(async () => {
  test = await startTestApp({ TRUST_PROXY: '1' });
});

beforeEach(async () => {
  firm = await createFirm(test);
  const customer = newCustomer({ name: 'Helen Faleolo', email: 'helen@home.example', phone: '021 777 666', notes: 'Pays late' });
  customerId = (await admin().customers.create(customer)).id;
});

const line = (over: Parameters<typeof newQuoteLine>[0] = {}) =>
  newQuoteLine({ name: 'Installation', is_service: true, unit_price: '230.00', ...over });
const section = (over: Parameters<typeof newSection>[0] = {}) => newSection({ items: [line()], ...over });
const admin = () => firm.people.admin.client;
const publicPage = () => test.client().publicQuotes;
const unknownToken = 'AAAAAAAAAAAAAAAAAAAAAA';
const notFound = { code: 'NOT_FOUND', message: "The quote you're looking for doesn't exist or has been removed." };

async function addQuote(over: Partial<NewQuoteInput> = {}) {
  const quote = await admin().quotes.create(
    newQuote({ customer_id: customerId, title: 'Gas hot water', description: 'A new water heater.', ...over }),
  );
  return { ...quote, token: quote.public_path.replace('/quote/', '') };
}
type Added = Awaited<ReturnType<typeof addQuote>>;
const acceptAll = ({ token, sections }: Added) =>
  publicPage().accept({ token, selected_option_ids: sections.map(({ id }) => id), accepted_by: 'Helen' });

async function upload(name: string, bytes: Buffer): Promise<string> {
  const id = randomUUID();
  await uploadTo(test, `/api/files/${id}`, firm.people.admin.cookie, name, bytes);
  return id;
}

describe('the public page of a quote', () => {
  it('shows a draft to whoever has the link, with everything that is priced', async () => {
    await test.owner.query(
      `update companies set address = '1 Quay Street', phone = '09 555', email = 'office@example.com' where company_id = $1`,
      [firm.companyId],
    );
    const heater = section({ name: 'Water heater', description: 'Supplied and fitted', always_required: true });
    const quote = await addQuote({ sections: [heater], valid_until: '2199-12-31' });
    const shown = await publicPage().get({ token: quote.token });
    expect(shown).toEqual({
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

  it('holds nothing that it does not show: no cost, margin, markup, profit, notes or names of the company', async () => {
    const { id: supplier_id } = await admin().suppliers.create(newSupplier({ company_name: 'Secret Supplies' }));
    const item = await admin().items.create(
      newItem({ supplier_id, sku: 'SKU-778', cost_price: '61.37', pricing_method: 'margin', margin_percentage: '83.3' }),
    );
    const marked = await admin().items.create(
      newItem({ supplier_id, cost_price: '72.19', pricing_method: 'markup', markup_amount: '87.83', margin_percentage: null }),
    );
    const items = [item, marked].map(({ id }) => line({ supplier_item_id: id, name: 'Mixer', unit_price: '100.00' }));
    const quote = await addQuote({ sections: [section({ items })], attachment_ids: [await upload('plan.png', png())] });
    const before = await test.request('GET', `/api/public/quotes/${quote.token}`);
    await acceptAll(quote);
    const after = await test.request('GET', `/api/public/quotes/${quote.token}`);
    // No second of a time looks like one of these figures.
    const secrets = ['61.37', '72.19', '83.3', '87.83', 'SKU-778', 'Secret Supplies', 'Pays late', 'helen@home', '021 777', quote.id];
    const ids = [firm.companyId, customerId, item.id, supplier_id, firm.people.admin.userId];
    const words =
      /cost|margin|markup|profit|notes|supplier|sku|pricing|staff|user_id|company_id|network|browser|sha256|version|The admin|The manager/i;
    for (const { body, statusCode } of [before, after]) {
      expect(statusCode).toBe(200);
      expect(body).toContain('Mixer');
      // A random token may spell any word.
      expect(body.replaceAll(quote.token, '')).not.toMatch(words);
      for (const secret of [...secrets, ...ids]) expect(body).not.toContain(secret);
    }
  });

  it('leads members of the company, and nobody else, to the quote in the application', async () => {
    const { token, id } = await addQuote();
    const stranger = await createPerson(test);
    const paths = [firm.people.staff.client, stranger.client, test.client()].map(async ({ publicQuotes }) => {
      const { member_path } = await publicQuotes.get({ token });
      return member_path;
    });
    expect(await Promise.all(paths)).toEqual([`/quotes/${id}`, null, null]);
  });

  it('says that a quote has expired, and keeps showing it', async () => {
    const quote = await addQuote({ valid_until: '2026-01-31' });
    expect(await publicPage().get({ token: quote.token })).toMatchObject({
      status: 'expired',
      is_actionable: false,
      content: { valid_until: '2026-01-31' },
    });
  });

  it('prices with the rate of the quote, whatever the company charges since', async () => {
    const quote = await addQuote();
    await test.owner.query('update companies set gst_percentage = 20 where company_id = $1', [firm.companyId]);
    expect((await publicPage().get({ token: quote.token })).content?.tax_rate).toBe('15');
  });

  it('opens by its token only: unknown, revoked and deleted quotes look the same', async () => {
    const quote = await addQuote();
    const deleted = await addQuote();
    await admin().quotes.remove({ id: deleted.id });
    for (const token of [unknownToken, deleted.token, quote.id, quote.quote_number, 'x', '%00']) {
      await expect(publicPage().get({ token })).rejects.toMatchObject(notFound);
      await expect(publicPage().reject({ token })).rejects.toMatchObject(notFound);
      await expect(publicPage().recordOpening({ token })).rejects.toMatchObject(notFound);
      await expect(publicPage().accept({ token, selected_option_ids: [randomUUID()], accepted_by: null })).rejects.toMatchObject(notFound);
    }
  });

  it('refuses any other kind of answer', async () => {
    const { token } = await addQuote();
    for (const path of ['', '/delete', '/accepted']) {
      expect((await test.request('POST', `/api/public/quotes/${token}${path}`, { body: { action: 'cancel' } })).statusCode).toBe(404);
    }
  });

  it('is not written to the log with its token', async () => {
    const { token } = await addQuote();
    await publicPage().get({ token });
    await test.request('GET', `/api/public/quotes/${token}/files/${randomUUID()}`);
    expect(test.logged.join('')).toContain('/api/public/quotes/:token');
    expect(test.logged.join('')).not.toContain(token);
  });
});

describe('an accepted quote', () => {
  it('is shown as it was accepted, however it is changed afterwards', async () => {
    const quote = await addQuote();
    const open = await publicPage().get({ token: quote.token });
    const { quote: accepted } = await acceptAll(quote);
    const { accepted: answer } = accepted;
    expect(accepted).toMatchObject({ status: 'accepted', content: null, accepted: { accepted_by: 'Helen', is_intact: true } });
    expect(answer?.document).toEqual(
      open.content &&
        quoteDocument(
          open.content,
          quote.sections.map(({ id }) => id),
        ),
    );
    const { version } = await admin().quotes.get({ id: quote.id });
    const [before] = quote.sections;
    const sections = [section({ id: before?.id ?? '', name: 'Dearer', items: [line({ unit_price: '999.00' })] })];
    await admin().quotes.update({ ...quote, version, title: 'Changed', sections, attachment_ids: [] });
    await test.owner.query(`update companies set company_name = 'Renamed', currency = 'AUD' where company_id = $1`, [firm.companyId]);
    expect(await publicPage().get({ token: quote.token })).toEqual(accepted);
  });

  it('can be opened for ever, also when the quote was deleted', async () => {
    const quote = await addQuote({ attachment_ids: [await upload('plan.png', png())] });
    const { quote: accepted } = await acceptAll(quote);
    await admin().quotes.remove({ id: quote.id });
    expect(await publicPage().get({ token: quote.token })).toEqual(accepted);
    expect(await acceptAll(quote)).toMatchObject({ quote: { status: 'accepted' } });
    await expect(publicPage().reject({ token: quote.token })).rejects.toMatchObject({ code: 'QUOTE_CLOSED' });
  });

  it('is by the company, not by one of its people, when they accepted it for the customer', async () => {
    const quote = await addQuote();
    await admin().quotes.accept({ id: quote.id });
    const { body } = await test.request('GET', `/api/public/quotes/${quote.token}`);
    expect(JSON.parse(body)).toMatchObject({ accepted: { accepted_by: 'Tane Plumbing' } });
    expect(body).not.toContain('The admin');
  });

  it('stays accepted after its last day', async () => {
    const quote = await addQuote({ valid_until: '2199-12-31' });
    await acceptAll(quote);
    await test.owner.query(`update quotes set valid_until = '2020-01-01' where id = $1`, [quote.id]);
    expect(await publicPage().get({ token: quote.token })).toMatchObject({ status: 'accepted' });
  });
});

describe('the files of a quote', () => {
  it('open from its public page without signing in, pictures in the page and all else as a download', async () => {
    const attachment_ids = [await upload('plan.png', png()), await upload('terms.pdf', pdf())];
    const quote = await addQuote({ attachment_ids });
    const { attachments } = await publicPage().get({ token: quote.token });
    const base = `/api/public/quotes/${quote.token}/files`;
    expect(attachments).toMatchObject([
      { file_name: 'plan.png', url: `${base}/${attachment_ids[0]}`, thumbnail_url: `${base}/${attachment_ids[0]}/thumbnail` },
      { file_name: 'terms.pdf', url: `${base}/${attachment_ids[1]}`, thumbnail_url: null },
    ]);
    const [picture, terms] = await Promise.all(attachments.map(({ url }) => test.request('GET', url)));
    expect(picture).toMatchObject({ statusCode: 200, rawPayload: png() });
    expect(picture?.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': expect.stringMatching(/^inline/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    expect(terms?.headers['content-disposition']).toMatch(/^attachment/);
    expect((await test.request('GET', attachments[0]?.thumbnail_url ?? '')).statusCode).toBe(200);
    const kept = { 'if-none-match': String(picture?.headers.etag) };
    expect((await test.request('GET', attachments[0]?.url ?? '', { headers: kept })).statusCode).toBe(304);
  });

  it('are the only ones: not those of another quote, of no record, or of a link that is closed', async () => {
    const [own, other, loose] = [await upload('a.png', png()), await upload('b.png', png()), await upload('c.png', png())];
    const quote = await addQuote({ attachment_ids: [own] });
    await addQuote({ attachment_ids: [other] });
    const statusOf = async (token: string, id: string) => [
      (await test.request('GET', `/api/public/quotes/${token}/files/${id}`)).statusCode,
      (await test.request('GET', `/api/public/quotes/${token}/files/${id}/thumbnail`)).statusCode,
    ];
    expect(await statusOf(quote.token, own)).toEqual([200, 200]);
    for (const id of [other, loose, randomUUID(), 'x']) expect(await statusOf(quote.token, id)).toEqual([404, 404]);
    expect(await statusOf(unknownToken, own)).toEqual([404, 404]);
    await admin().quotes.remove({ id: quote.id });
    expect(await statusOf(quote.token, own)).toEqual([404, 404]);
    // Without the link a member has to sign in.
    expect((await test.request('GET', `/api/files/${other}`)).statusCode).toBe(401);
  });

  it('are fetched at most 120 times a minute by one visitor, whose other links go on working', async () => {
    const [id, other] = [await upload('a.png', png()), await upload('b.png', png())];
    const [quote, another] = [await addQuote({ attachment_ids: [id] }), await addQuote({ attachment_ids: [other] })];
    const statusOf = async (path: string) => (await test.request('GET', `/api/public/quotes/${path}`)).statusCode;
    const statuses = [];
    for (let count = 0; count < 121; count += 1) statuses.push(await statusOf(`${quote.token}/files/${id}`));
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([120, 429]);
    expect(await statusOf(`${quote.token}/files/${id}/thumbnail`)).toBe(200);
    expect(await statusOf(`${another.token}/files/${other}`)).toBe(200);
  });
});

describe('an opening of the public page', () => {
  const PHONE = 'Mozilla/5.0 (Linux; Android 15; CUBOT NOTE) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
  const open = ({ token }: Added, userAgent: string, cookie?: string) =>
    test.request('POST', `/api/public/quotes/${token}/opened`, { body: {}, cookie, headers: { 'user-agent': userAgent } });
  const openings = async ({ id }: Added) => {
    const { first_opened_at, last_opened_at } = await admin().quotes.get({ id });
    return { first_opened_at, last_opened_at };
  };
  const never = { first_opened_at: null, last_opened_at: null };

  it('is noted the first and the last time', async () => {
    const quote = await addQuote();
    expect(await openings(quote)).toEqual(never);
    await open(quote, PHONE);
    const first = await openings(quote);
    expect(first.first_opened_at).toEqual(expect.any(String));
    await test.owner.query(`update public_links set first_opened_at = '2026-01-01' where token = $1`, [quote.token]);
    await open(quote, PHONE);
    const second = await openings(quote);
    expect(second.first_opened_at).toBe('2026-01-01T00:00:00.000Z');
    expect(Date.parse(second.last_opened_at ?? '')).toBeGreaterThanOrEqual(Date.parse(first.last_opened_at ?? ''));
  });

  it('by a member of the company does not count, by a person of another one it does', async () => {
    const quote = await addQuote();
    await publicPage().get({ token: quote.token });
    await open(quote, PHONE, firm.people.staff.cookie);
    expect(await openings(quote)).toEqual(never);
    await open(quote, PHONE, (await createPerson(test)).cookie);
    expect(await openings(quote)).not.toEqual(never);
  });

  it.each([
    '',
    'WhatsApp/2.24.1 A',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  ])('by a link preview does not count: %s', async (userAgent) => {
    const quote = await addQuote();
    expect((await open(quote, userAgent)).statusCode).toBe(200);
    expect(await openings(quote)).toEqual(never);
  });
});

describe('the limit of calls', () => {
  const from = (token: string, address: string) =>
    test.request('GET', `/api/public/quotes/${token}`, { headers: { 'x-forwarded-for': address } });

  it('is of each link: whoever uses up one, or guesses, locks out no other customer of the same network', async () => {
    const [one, other] = [await addQuote(), await addQuote()];
    const address = '203.0.113.9';
    const statuses = await Promise.all(Array.from({ length: 121 }, async () => (await from(one.token, address)).statusCode));
    expect(statuses.filter((status) => status !== 200)).toEqual([429]);
    const guesses = Array.from({ length: 121 }, (_, index) => from(`${unknownToken.slice(3)}${String(index).padStart(3, '0')}`, address));
    expect((await Promise.all(guesses)).filter(({ statusCode }) => statusCode !== 404)).toMatchObject([{ statusCode: 429 }]);
    expect((await from(other.token, address)).statusCode).toBe(200);
    expect((await from(one.token, '203.0.113.10')).statusCode).toBe(200);
  });
});
