import { describe, expect, it } from 'vitest';
import {
  acceptedSections,
  copiedValidUntil,
  initialSelection,
  isActionable,
  NO_OPTION_SELECTED,
  type QuoteStatus,
  quoteNumber,
  shownQuoteStatus,
  UNKNOWN_OPTION,
} from './quote.ts';

const today = '2025-03-10';

describe('the status of a quote', () => {
  it.each<[QuoteStatus, string | null, QuoteStatus, boolean]>([
    ['sent', '2025-03-11', 'sent', true],
    ['sent', '2025-03-10', 'sent', true],
    ['sent', '2025-03-09', 'expired', false],
    ['draft', null, 'draft', true],
    ['draft', '2024-12-31', 'expired', false],
    ['accepted', null, 'accepted', false],
    ['accepted', '2025-03-09', 'accepted', false],
    ['rejected', '2025-03-09', 'rejected', false],
    ['rejected', '2025-04-01', 'rejected', false],
    ['expired', '2025-04-01', 'expired', false],
  ])('%s, valid until %s, shows as %s; can be answered: %s', (status, valid_until, shown, actionable) => {
    expect(shownQuoteStatus({ status, valid_until }, today)).toBe(shown);
    expect(isActionable({ status, valid_until }, today)).toBe(actionable);
  });
});

describe('the last day of a copy', () => {
  it.each([
    ['2025-01-05', '2025-02-04', '2025-04-09'],
    ['2025-01-05', '2025-01-05', '2025-03-10'],
    ['2025-01-05', '2025-01-04', null],
    ['2025-01-05', null, null],
  ])('created %s, valid until %s: valid until %s when copied on March 10', (created_on, valid_until, copied) => {
    expect(copiedValidUntil({ created_on, valid_until }, today)).toBe(copied);
  });
});

describe('the number of a quote', () => {
  it('is Q and the last six digits of the time', () => {
    expect(quoteNumber(1_736_064_001_234)).toBe('Q001234');
    expect(quoteNumber(1_736_064_999_999)).toBe('Q999999');
  });

  it('goes on from the first one after the last', () => {
    expect(quoteNumber(1_736_064_999_999, 1)).toBe('Q000000');
    expect(quoteNumber(1_736_064_001_234, 2)).toBe('Q001236');
  });
});

describe('the sections a customer chooses', () => {
  const required = { id: 'r', always_required: true };
  const [first, second] = [
    { id: 'o1', always_required: false },
    { id: 'o2', always_required: false },
  ];
  const all = [first, required, second];

  it('start with the required ones', () => {
    expect(initialSelection(all)).toEqual(['r']);
    expect(initialSelection([first, second])).toEqual([]);
  });

  it('start with the only one there is, so that one click accepts', () => {
    expect(initialSelection([first])).toEqual(['o1']);
    expect(initialSelection([])).toEqual([]);
  });

  it('always include the required ones, in the order of the quote', () => {
    expect(acceptedSections(all, ['o2', 'o1'])).toEqual({ accepted: [first, required, second] });
    expect(acceptedSections(all, ['o2'])).toEqual({ accepted: [required, second] });
    expect(acceptedSections(all, ['o2', 'o2', 'r'])).toEqual({ accepted: [required, second] });
  });

  it('include at least one optional one when there is any', () => {
    expect(acceptedSections(all, [])).toEqual({ error: NO_OPTION_SELECTED });
    expect(acceptedSections(all, ['r'])).toEqual({ error: NO_OPTION_SELECTED });
    expect(acceptedSections([required], [])).toEqual({ accepted: [required] });
  });

  it('are sections of this quote', () => {
    expect(acceptedSections(all, ['o1', 'x'])).toEqual({ error: UNKNOWN_OPTION });
  });
});
