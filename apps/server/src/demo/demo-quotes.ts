import { randomUUID } from 'node:crypto';
import { NewQuote } from '@callout/contract/quote-input';
import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { calculateSellingPrice } from '@callout/domain/suppliers/item-pricing';
import { DAY_MS } from '@callout/domain/time/time-units';
import { addDays, toInstant, toLocalDate } from '@callout/domain/time/zoned-time';
import type pg from 'pg';
import type { z } from 'zod';
import { updateJobStatus } from '../features/jobs/save-job.ts';
import { acceptQuote, type QuoteAnswerer, rejectQuote } from '../features/quotes/accept-quote.ts';
import { createQuote, setQuoteStatus } from '../features/quotes/save-quote.ts';
import { markLinkOpened } from '../platform/auth/public-links.sql.ts';
import type { LinkHolder } from '../platform/db/actor.ts';
import { runTenantTransaction, type Tenant } from '../platform/db/tenant-scope.ts';
import { addDeliveredQuoteMail } from './demo.sql.ts';
import { addHours } from './demo-plan.ts';
import type { DemoPriceList } from './demo-suppliers.ts';

interface QuoteOffer {
  readonly title: string;
  readonly description: string;
  readonly deposit?: Pick<NewQuoteInput, 'deposit_percentage' | 'deposit_amount'>;
  readonly sections: readonly OfferedSection[];
}

interface OfferedSection {
  readonly name: string;
  readonly description: string | null;
  readonly required: boolean;
  /** Pairs of SKU and quantity. */
  readonly items: readonly (readonly [string, string])[];
}

const buildRequiredSection = (name: string, description: string | null, items: OfferedSection['items']): OfferedSection => ({
  name,
  description,
  required: true,
  items,
});
const buildOptionalSection = (name: string, description: string | null, items: OfferedSection['items']): OfferedSection => ({
  name,
  description,
  required: false,
  items,
});

const QUOTE_OFFERS: readonly QuoteOffer[] = [
  {
    title: 'Gas hot water and bathroom heating',
    description: 'Replace the electric cylinder with continuous-flow gas hot water. Two optional extras for the bathroom and garden.',
    deposit: { deposit_percentage: '30' },
    sections: [
      buildRequiredSection('Gas hot water', '26 L/min, installed and certified', [
        ['GWH-26', '1'],
        ['FK-H', '1'],
        ['SV-HOUR', '6'],
        ['SV-CERT', '1'],
      ]),
      buildOptionalSection('Heated bathroom', 'Radiator with a thermostatic valve', [
        ['RAD-612', '1'],
        ['TRV-15', '1'],
        ['SV-HOUR', '2.5'],
      ]),
      buildOptionalSection('Outdoor tap', 'On the deck side of the house', [
        ['BV-15', '1'],
        ['CU-15-3', '2'],
        ['SV-HOUR', '1'],
      ]),
    ],
  },
  {
    title: 'Bathroom renovation',
    description: 'New toilet, basin mixer and shower. Tiling by others.',
    deposit: { deposit_percentage: '30' },
    sections: [
      buildRequiredSection('Toilet and basin', null, [
        ['TS-BTW', '1'],
        ['BM-01', '1'],
        ['BT-40-C', '1'],
        ['SV-HOUR', '8'],
      ]),
      buildOptionalSection('Shower', 'Slide rail set and new pipework in the wall', [
        ['SR-01', '1'],
        ['PEX-16-25', '1'],
        ['PEX-EL-16', '12'],
        ['SV-HOUR', '6'],
      ]),
      buildOptionalSection('Second basin', null, [
        ['BM-01', '1'],
        ['BT-40-C', '1'],
        ['SV-HOUR', '3'],
      ]),
    ],
  },
  {
    title: 'Hot water cylinder replacement',
    description: 'Choose one of two sizes. We’ll take the old cylinder away.',
    deposit: { deposit_amount: '250.00' },
    sections: [
      buildOptionalSection('180 L cylinder', 'For up to three people', [
        ['EC-180', '1'],
        ['TV-20', '1'],
        ['SV-HOUR', '4'],
      ]),
      buildOptionalSection('250 L cylinder', 'For four or more people', [
        ['EC-250', '1'],
        ['TV-20', '1'],
        ['SV-HOUR', '4.5'],
      ]),
    ],
  },
  {
    title: 'Kitchen plumbing',
    description: 'Mixer, dishwasher connection and waste.',
    sections: [
      buildRequiredSection('Items & Services', null, [
        ['KM-02', '1'],
        ['FC-300', '2'],
        ['PVC-40-3', '2'],
        ['SV-HOUR', '3'],
      ]),
    ],
  },
  {
    title: 'Drain inspection and repair',
    description: 'Camera inspection, then jetting if needed.',
    sections: [
      buildRequiredSection('Inspection', 'Includes a report by email', [['SV-CAM', '1']]),
      buildOptionalSection('Jetting', 'Up to two hours', [['SV-JET', '2']]),
      buildOptionalSection('Backflow test', 'Due once a year', [['SV-BFT', '1']]),
    ],
  },
];

interface QuoteOutcome {
  readonly status: QuoteStatus;
  /** Days since the quote was created. */
  readonly age: number;
}

type NewQuoteInput = z.input<typeof NewQuote>;

const buildOutcomes = (status: QuoteStatus, ...ages: number[]): QuoteOutcome[] => ages.map((age) => ({ status, age }));

/** Sixty quotes over a year. Drafts and unanswered quotes are from the last few weeks. */
const QUOTE_OUTCOMES: readonly QuoteOutcome[] = [
  ...buildOutcomes('accepted', 2, 5, 9, 14, 33, 61, 78, 102, 131, 160, 204, 251, 290, 331),
  ...buildOutcomes('rejected', 8, 19, 40, 72, 95, 120, 166, 199, 230, 262, 301, 340),
  ...buildOutcomes('sent', 1, 2, 3, 4, 6, 7, 9, 11, 12, 15, 17, 20, 22, 25),
  ...buildOutcomes('draft', 0, 0, 1, 1, 2, 3, 5, 8, 13, 21),
  ...buildOutcomes('expired', 45, 58, 84, 110, 140, 171, 215, 245, 280, 320),
];

const VALID_DAYS = 30;

export interface DemoQuote {
  readonly input: NewQuote;
  readonly outcome: QuoteStatus;
  readonly createdAt: string;
  /** An hour after `createdAt`. The customer answers the next day. */
  readonly sentAt: string;
  readonly answeredAt: string;
}

const getEarlier = (a: string, b: string) => (a < b ? a : b);

/** Returns the quotes in order of creation, because quote numbers are assigned in that order. */
export function buildDemoQuotes(plan: {
  now: Date;
  zone: string;
  customerIds: readonly string[];
  priceLists: readonly DemoPriceList[];
}): DemoQuote[] {
  const { now, zone, customerIds, priceLists } = plan;
  const today = toLocalDate(now.toISOString(), zone);
  const items = new Map(priceLists.flatMap((list) => list.items.map((item) => [item.sku, item] as const)));
  return QUOTE_OUTCOMES.map(({ status, age }, index): DemoQuote => {
    const offer = QUOTE_OFFERS[(index * 3 + age) % QUOTE_OFFERS.length];
    if (!offer) throw new Error('The demo has no quote offers');
    /** Returns a time within working hours, `days` days after the quote was created. */
    const daysLater = (days: number) =>
      toInstant(addDays(today, days - age), `${String(8 + (index % 8)).padStart(2, '0')}:1${index % 6}`, zone);
    const created = getEarlier(daysLater(0), addHours(now.toISOString(), -0.5));
    return {
      input: NewQuote.parse({
        id: randomUUID(),
        customer_id: customerIds[(index * 7) % customerIds.length],
        title: offer.title,
        description: offer.description,
        valid_until: addDays(today, VALID_DAYS - age),
        ...offer.deposit,
        sections: offer.sections.map(({ name, description, required: always_required, items: lines }) => ({
          id: randomUUID(),
          name,
          description,
          always_required,
          items: lines.map(([sku, quantity]) => ({ id: randomUUID(), quantity, ...buildLineInput(items, sku) })),
        })),
        attachment_ids: [],
      }),
      outcome: status,
      createdAt: created,
      sentAt: addHours(created, 1),
      answeredAt: addHours(daysLater(1), index % 3),
    };
  }).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
}

function buildLineInput(items: ReadonlyMap<string, DemoPriceList['items'][number]>, sku: string) {
  const item = items.get(sku);
  if (!item) throw new Error(`The demo has no price list item ${sku}`);
  const { id, name, description, tax_inclusive, is_service } = item;
  return { supplier_item_id: id, name, description, tax_inclusive, is_service, unit_price: calculateSellingPrice(item) };
}

/** Quotes accepted longer ago than this have a finished and paid job. */
const MIN_DONE_AGE_MS = 32 * DAY_MS;
/** Days from acceptance to completion. */
const DONE_AFTER_DAYS = 14;

export interface QuotedJob {
  readonly jobId: string;
  readonly acceptedAt: string;
  /** Null until the job is done. */
  readonly completedAt: string | null;
}

/** Creates, sends, opens and answers the quote at the planned times. Returns the job if the quote was accepted, otherwise null. */
export async function addDemoQuote(pool: pg.Pool, tenant: Tenant, quote: DemoQuote): Promise<QuotedJob | null> {
  const { input, outcome, createdAt, sentAt, answeredAt } = quote;
  const { id } = input;
  await runTenantTransaction(pool, { ...tenant, now: createdAt }, async (scope) => void (await createQuote(scope, input)));
  if (outcome === 'draft') return null;
  await runTenantTransaction(pool, { ...tenant, now: sentAt }, async (scope) => {
    const { customer } = await setQuoteStatus(scope, id, 'sent');
    await addDeliveredQuoteMail(scope, id, { recipient: customer?.email ?? '', subject: `Your quote: ${input.title}` });
  });
  const visitor: LinkHolder = { kind: 'link', recordKind: 'quote', recordId: id };
  const atAnswer = { ...tenant, actor: visitor, now: answeredAt };
  // Customers haven't opened the newest quotes yet, so don't mark those as opened.
  if (outcome !== 'sent' || Date.parse(answeredAt) < Date.parse(tenant.now)) {
    await runTenantTransaction(pool, { ...atAnswer, now: addHours(sentAt, 2) }, (scope) => markLinkOpened(scope, { kind: 'quote', id }));
  }
  if (outcome === 'rejected')
    await runTenantTransaction(pool, atAnswer, async (scope) => void (await rejectQuote(scope, id, CUSTOMER_ANSWERER)));
  if (outcome !== 'accepted') return null;
  const job = await runTenantTransaction(pool, atAnswer, (scope) =>
    acceptQuote(scope, id, chooseFirstOption(input), CUSTOMER_ANSWERER, {}),
  );
  if (!job?.job_id) return null;
  const accepted = { jobId: job.job_id, acceptedAt: answeredAt };
  if (Date.parse(answeredAt) > Date.parse(tenant.now) - MIN_DONE_AGE_MS) return { ...accepted, completedAt: null };
  const completedAt = addHours(answeredAt, 24 * DONE_AFTER_DAYS);
  const done = { id: job.job_id, status: 'complete' } as const;
  await runTenantTransaction(pool, { ...tenant, now: completedAt }, async (scope) => void (await updateJobStatus(scope, done)));
  return { ...accepted, completedAt };
}

const CUSTOMER_ANSWERER: QuoteAnswerer = {
  staffId: null,
  defaultsToAll: false,
  typedName: null,
  networkAddress: '203.0.113.7',
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
};

const chooseFirstOption = ({ sections }: NewQuote) =>
  sections
    .filter(({ always_required }) => !always_required)
    .slice(0, 1)
    .map(({ id }) => id);
