import { randomUUID } from 'node:crypto';
import { NewQuote } from '@callout/contract/quote-input';
import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { sellingPrice } from '@callout/domain/suppliers/item-pricing';
import { DAY_MS } from '@callout/domain/time/time-units';
import { addDays, localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import type pg from 'pg';
import type { z } from 'zod';
import { changeStatus } from '../features/jobs/save-job.ts';
import { type Answerer, acceptQuote, rejectQuote } from '../features/quotes/accept-quote.ts';
import { createQuote, setQuoteStatus } from '../features/quotes/save-quote.ts';
import { markLinkOpened } from '../platform/auth/public-links.sql.ts';
import type { LinkHolder } from '../platform/db/actor.ts';
import { changeAs, type Tenant } from '../platform/db/tenant-scope.ts';
import { addDeliveredMail } from './demo.sql.ts';
import type { DemoPriceList } from './demo-suppliers.ts';
import { hoursLater } from './demo-time.ts';

interface Offer {
  readonly title: string;
  readonly description: string;
  readonly deposit?: Pick<NewQuoteInput, 'deposit_percentage' | 'deposit_amount'>;
  readonly sections: readonly OfferedSection[];
}

interface OfferedSection {
  readonly name: string;
  readonly description: string | null;
  readonly required: boolean;
  /** SKU and quantity. */
  readonly items: readonly (readonly [string, string])[];
}

const required = (name: string, description: string | null, items: OfferedSection['items']): OfferedSection => ({
  name,
  description,
  required: true,
  items,
});
const option = (name: string, description: string | null, items: OfferedSection['items']): OfferedSection => ({
  name,
  description,
  required: false,
  items,
});

const OFFERS: readonly Offer[] = [
  {
    title: 'Gas hot water and bathroom warmth',
    description: 'Replace the electric cylinder with continuous gas, plus two options for the bathroom and garden.',
    deposit: { deposit_percentage: '30' },
    sections: [
      required('Gas hot water', '26 liters a minute, installed and certified', [
        ['GWH-26', '1'],
        ['FK-H', '1'],
        ['SV-HOUR', '6'],
        ['SV-CERT', '1'],
      ]),
      option('Heated bathroom', 'Radiator with a thermostatic valve', [
        ['RAD-612', '1'],
        ['TRV-15', '1'],
        ['SV-HOUR', '2.5'],
      ]),
      option('Outdoor tap', 'On the deck side of the house', [
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
      required('Toilet and basin', null, [
        ['TS-BTW', '1'],
        ['BM-01', '1'],
        ['BT-40-C', '1'],
        ['SV-HOUR', '8'],
      ]),
      option('Shower', 'Slide rail set and new pipes in the wall', [
        ['SR-01', '1'],
        ['PEX-16-25', '1'],
        ['PEX-EL-16', '12'],
        ['SV-HOUR', '6'],
      ]),
      option('Second basin', null, [
        ['BM-01', '1'],
        ['BT-40-C', '1'],
        ['SV-HOUR', '3'],
      ]),
    ],
  },
  {
    title: 'Hot water cylinder replacement',
    description: 'Choose one of two sizes. The old cylinder is taken away.',
    deposit: { deposit_amount: '250.00' },
    sections: [
      option('180 liters', 'For up to three people', [
        ['EC-180', '1'],
        ['TV-20', '1'],
        ['SV-HOUR', '4'],
      ]),
      option('250 liters', 'For four people and more', [
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
      required('Items & Services', null, [
        ['KM-02', '1'],
        ['FC-300', '2'],
        ['PVC-40-3', '2'],
        ['SV-HOUR', '3'],
      ]),
    ],
  },
  {
    title: 'Drain inspection and repair',
    description: 'Camera inspection, then jetting where it is needed.',
    sections: [
      required('Inspection', 'With a report by email', [['SV-CAM', '1']]),
      option('Jetting', 'Up to two hours', [['SV-JET', '2']]),
      option('Backflow test', 'Once a year', [['SV-BFT', '1']]),
    ],
  },
];

interface Outcome {
  readonly status: QuoteStatus;
  /** Days ago that it was created. */
  readonly age: number;
}

type NewQuoteInput = z.input<typeof NewQuote>;

const outcomes = (status: QuoteStatus, ...ages: number[]): Outcome[] => ages.map((age) => ({ status, age }));

/** Sixty in a year, the open ones of the last weeks. */
const OUTCOMES: readonly Outcome[] = [
  ...outcomes('accepted', 2, 5, 9, 14, 33, 61, 78, 102, 131, 160, 204, 251, 290, 331),
  ...outcomes('rejected', 8, 19, 40, 72, 95, 120, 166, 199, 230, 262, 301, 340),
  ...outcomes('sent', 1, 2, 3, 4, 6, 7, 9, 11, 12, 15, 17, 20, 22, 25),
  ...outcomes('draft', 0, 0, 1, 1, 2, 3, 5, 8, 13, 21),
  ...outcomes('expired', 45, 58, 84, 110, 140, 171, 215, 245, 280, 320),
];

/** How long a quote is open. */
const VALID_DAYS = 30;

export interface DemoQuote {
  readonly input: NewQuote;
  readonly outcome: QuoteStatus;
  readonly createdAt: string;
  /** An hour later it is mailed, the next day it is answered. */
  readonly sentAt: string;
  readonly answeredAt: string;
}

const earlier = (one: string, other: string) => (one < other ? one : other);

/** In the order they were made. */
export function demoQuotes(firm: {
  now: Date;
  zone: string;
  customerIds: readonly string[];
  priceLists: readonly DemoPriceList[];
}): DemoQuote[] {
  const { now, zone, customerIds, priceLists } = firm;
  const today = localDate(now.toISOString(), zone);
  const items = new Map(priceLists.flatMap((list) => list.items.map((item) => [item.sku, item] as const)));
  return OUTCOMES.map(({ status, age }, index): DemoQuote => {
    const offer = OFFERS[(index * 3 + age) % OFFERS.length];
    if (!offer) throw new Error('The demo firm offers nothing');
    /** In working hours. */
    const daysLater = (days: number) =>
      zonedInstant(addDays(today, days - age), `${String(8 + (index % 8)).padStart(2, '0')}:1${index % 6}`, zone);
    const created = earlier(daysLater(0), hoursLater(now.toISOString(), -0.5));
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
          items: lines.map(([sku, quantity]) => ({ id: randomUUID(), quantity, ...lineOf(items, sku) })),
        })),
        attachment_ids: [],
      }),
      outcome: status,
      createdAt: created,
      sentAt: hoursLater(created, 1),
      answeredAt: hoursLater(daysLater(1), index % 3),
    };
  }).toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
}

function lineOf(items: ReadonlyMap<string, DemoPriceList['items'][number]>, sku: string) {
  const item = items.get(sku);
  if (!item) throw new Error(`The demo firm does not sell ${sku}`);
  const { id, name, description, tax_inclusive, is_service } = item;
  return { supplier_item_id: id, name, description, tax_inclusive, is_service, unit_price: sellingPrice(item) };
}

/** A job of an accepted quote that is older than this has been done, two weeks after it was accepted, and paid. */
const DONE_AFTER_MS = 32 * DAY_MS;
const DONE_AFTER_DAYS = 14;

export interface QuotedJob {
  readonly jobId: string;
  readonly acceptedAt: string;
  /** Null while it is not done. */
  readonly completedAt: string | null;
}

/** Writes it, mails it, has it opened and answered, each at its time. Returns the job of an accepted one. */
export async function addDemoQuote(pool: pg.Pool, tenant: Tenant, quote: DemoQuote): Promise<QuotedJob | null> {
  const { input, outcome, createdAt, sentAt, answeredAt } = quote;
  const { id } = input;
  await changeAs(pool, { ...tenant, now: createdAt }, async (scope) => void (await createQuote(scope, input)));
  if (outcome === 'draft') return null;
  await changeAs(pool, { ...tenant, now: sentAt }, async (scope) => {
    const { customer } = await setQuoteStatus(scope, id, 'sent');
    await addDeliveredMail(scope, id, { recipient: customer?.email ?? '', subject: `Your quote: ${input.title}` });
  });
  const visitor: LinkHolder = { kind: 'link', recordKind: 'quote', recordId: id };
  const atAnswer = { ...tenant, actor: visitor, now: answeredAt };
  // Nobody has looked at the newest ones yet.
  if (outcome !== 'sent' || Date.parse(answeredAt) < Date.parse(tenant.now)) {
    await changeAs(pool, { ...atAnswer, now: hoursLater(sentAt, 2) }, (scope) => markLinkOpened(scope, { kind: 'quote', id }));
  }
  if (outcome === 'rejected') await changeAs(pool, atAnswer, async (scope) => void (await rejectQuote(scope, id, CUSTOMER)));
  if (outcome !== 'accepted') return null;
  const job = await changeAs(pool, atAnswer, (scope) => acceptQuote(scope, id, chosenSections(input), CUSTOMER));
  if (!job?.job_id) return null;
  const accepted = { jobId: job.job_id, acceptedAt: answeredAt };
  if (Date.parse(answeredAt) > Date.parse(tenant.now) - DONE_AFTER_MS) return { ...accepted, completedAt: null };
  const completedAt = hoursLater(answeredAt, 24 * DONE_AFTER_DAYS);
  const done = { id: job.job_id, status: 'complete' } as const;
  await changeAs(pool, { ...tenant, now: completedAt }, async (scope) => void (await changeStatus(scope, done)));
  return { ...accepted, completedAt };
}

const CUSTOMER: Answerer = {
  staffId: null,
  takesAll: false,
  name: null,
  networkAddress: '203.0.113.7',
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
};

/** The first of the options. */
const chosenSections = ({ sections }: NewQuote) =>
  sections
    .filter(({ always_required }) => !always_required)
    .slice(0, 1)
    .map(({ id }) => id);
