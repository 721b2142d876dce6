import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays } from '../time/zoned-time.ts';
import { calculateDaysLate } from './invoice.ts';
import { DEBT_AGE_LABELS, DEBT_AGES, getDebtAge, getDebtAgeRange, INVOICE_FILTERS, INVOICE_SORTS } from './invoice-list.ts';

const TODAY = '2026-11-16';

it.each([
  ['current', '2026-11-16', null],
  ['days_30', '2026-10-17', '2026-11-15'],
  ['days_60', '2026-09-17', '2026-10-16'],
  ['days_90', '2026-08-18', '2026-09-16'],
  ['older', null, '2026-08-17'],
] as const)('maps the debt age bucket %s to late-after dates from %s to %s', (age, from, to) => {
  expect(getDebtAgeRange(age, TODAY)).toEqual({ from, to });
});

it('has filters and sorts under names that bookmarks and saved links contain', () => {
  expect(INVOICE_FILTERS).toEqual(['unpaid', 'overdue', 'paid', 'unsent']);
  expect(INVOICE_SORTS).toEqual(['late_after', 'invoice_number', 'customer', 'total_amount']);
});

it('labels the debt age buckets', () => {
  expect(DEBT_AGES.map(({ key }) => DEBT_AGE_LABELS[key])).toEqual([
    'Not due yet',
    '1–30 days late',
    '31–60 days late',
    '61–90 days late',
    'Over 90 days late',
  ]);
});

it('puts every date into exactly one debt age bucket', () => {
  fc.assert(
    fc.property(fc.integer({ min: -400, max: 4000 }), (days) => {
      const day = addDays(TODAY, -days);
      const ages = DEBT_AGES.map(({ key }) => key).filter((age) => {
        const { from, to } = getDebtAgeRange(age, TODAY);
        return (from === null || day >= from) && (to === null || day <= to);
      });
      expect(ages).toEqual([getDebtAge(calculateDaysLate(day, TODAY))]);
    }),
  );
});
