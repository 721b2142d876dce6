import { describe, expect, it } from 'vitest';
import {
  calculateCopyValidUntil,
  DEFAULT_SECTION_NAME,
  formatQuoteNumber,
  getInitialSelection,
  getQuoteDisplayStatus,
  hasQuoteItems,
  isQuoteAnswerable,
  MAX_QUOTE_LINES,
  MAX_QUOTE_SECTIONS,
  NO_OPTION_SELECTED_ERROR,
  QUOTE_STATUSES,
  type QuoteStatus,
  resolveAcceptedSections,
  UNKNOWN_OPTION_ERROR,
} from './quote.ts';

const today = '2025-03-10';

it('a quote has at most 50 sections and 500 line items', () => {
  expect([MAX_QUOTE_SECTIONS, MAX_QUOTE_LINES]).toEqual([50, 500]);
});

it('a quote has items if one of its sections has at least one', () => {
  const quotes = [[], [{ items: [] }], [{ items: [] }, { items: ['Tap'] }]];
  expect(quotes.map(hasQuoteItems)).toEqual([false, false, true]);
});

describe('quote status', () => {
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
  ])('of a %s quote, valid until %s, displays as %s; the quote can be answered: %s', (status, valid_until, displayed, answerable) => {
    expect(getQuoteDisplayStatus({ status, valid_until }, today)).toBe(displayed);
    expect(isQuoteAnswerable({ status, valid_until }, today)).toBe(answerable);
  });
});

describe('validity of a copied quote', () => {
  it.each([
    ['2025-01-05', '2025-02-04', '2025-04-09'],
    ['2025-01-05', '2025-01-05', '2025-03-10'],
    ['2025-01-05', '2025-01-04', null],
    ['2025-01-05', null, null],
  ])('created on %s and valid until %s ends on %s when copied on March 10', (created_on, valid_until, copied) => {
    expect(calculateCopyValidUntil({ created_on, valid_until }, today)).toBe(copied);
  });
});

describe('quote number', () => {
  it('is Q and the last six digits of the timestamp', () => {
    expect(formatQuoteNumber(1_736_064_001_234)).toBe('Q001234');
    expect(formatQuoteNumber(1_736_064_999_999)).toBe('Q999999');
  });

  it('wraps around from Q999999 to Q000000', () => {
    expect(formatQuoteNumber(1_736_064_999_999, 1)).toBe('Q000000');
    expect(formatQuoteNumber(1_736_064_001_234, 2)).toBe('Q001236');
  });
});

describe('section selection', () => {
  const required = { id: 'r', always_required: true };
  const [first, second] = [
    { id: 'o1', always_required: false },
    { id: 'o2', always_required: false },
  ];
  const all = [first, required, second];

  it('preselects required sections', () => {
    expect(getInitialSelection(all)).toEqual(['r']);
    expect(getInitialSelection([first, second])).toEqual([]);
  });

  it("preselects a quote's only section, so that one click accepts the quote", () => {
    expect(getInitialSelection([first])).toEqual(['o1']);
    expect(getInitialSelection([])).toEqual([]);
  });

  it("always includes required sections, and keeps the quote's order", () => {
    expect(resolveAcceptedSections(all, ['o2', 'o1'])).toEqual({ accepted: [first, required, second] });
    expect(resolveAcceptedSections(all, ['o2'])).toEqual({ accepted: [required, second] });
    expect(resolveAcceptedSections(all, ['o2', 'o2', 'r'])).toEqual({ accepted: [required, second] });
  });

  it('requires at least one optional section if there are any', () => {
    expect(resolveAcceptedSections(all, [])).toEqual({ error: NO_OPTION_SELECTED_ERROR });
    expect(resolveAcceptedSections(all, ['r'])).toEqual({ error: NO_OPTION_SELECTED_ERROR });
    expect(resolveAcceptedSections([required], [])).toEqual({ accepted: [required] });
  });

  it('rejects a section of another quote', () => {
    expect(resolveAcceptedSections(all, ['o1', 'x'])).toEqual({ error: UNKNOWN_OPTION_ERROR });
  });
});

it('keeps the values that the database and saved requests contain', () => {
  expect(QUOTE_STATUSES).toEqual(['draft', 'sent', 'accepted', 'rejected', 'expired']);
});

it('names the first section as specified', () => {
  expect(DEFAULT_SECTION_NAME).toBe('Items & Services');
});
