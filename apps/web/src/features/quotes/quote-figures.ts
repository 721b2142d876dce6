import { QuoteQuantity } from '@callout/contract/quote-input';
import { isDecimalAmount } from '@callout/domain/money/amount';
import { calculateLineTotal, subtractMoney } from '@callout/domain/money/money';
import { calculateQuoteTotals, calculateSectionTotals, estimateProfit } from '@callout/domain/quotes/quote-price';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import type { QuoteLineRow } from './quote-form.ts';
import { groupItemsBySection, type QuoteLines } from './quote-lines.ts';

/** Normalizes the typed numbers the same way as saving does. */
const normalizeLine = (line: QuoteLineRow) => ({
  ...line,
  quantity: normalizeDecimal(line.quantity).trim(),
  unit_price: normalizeDecimal(line.unit_price).trim(),
});

/** Caches whether a typed quantity is valid, because every keystroke validates the same few quantities again. */
const quantityCache = new Map<string, boolean>();

function isValidQuantity(text: string): boolean {
  const isValid = quantityCache.get(text) ?? QuoteQuantity.safeParse(text).success;
  quantityCache.set(text, isValid);
  return isValid;
}

const isPriced = ({ quantity, unit_price: price }: QuoteLineRow) => isValidQuantity(quantity) && isDecimalAmount(price);

/** Calculates a line's total. Returns null if the quantity or the price isn't a valid number yet. */
export function calculateRowTotal(line: QuoteLineRow): string | null {
  const normalized = normalizeLine(line);
  return isPriced(normalized) ? calculateLineTotal(normalized.unit_price, normalized.quantity) : null;
}

/** Calculates the summary as the server does on save. Skips lines without a valid quantity or price. `rate` is in percent. */
export function calculateQuoteFigures(lines: QuoteLines, rate: string) {
  const groups = groupItemsBySection(lines);
  const sections = lines.sections.map((section) => {
    const items = (groups.get(section.id) ?? []).map(normalizeLine).filter(isPriced);
    return { ...section, items, total: calculateSectionTotals({ items }, rate).total_amount };
  });
  return {
    sections,
    totals: calculateQuoteTotals(sections, rate),
    minimumTotal: calculateMinimumTotal(sections, rate),
    profit: calculateProfit(sections.flatMap(({ items }) => items)),
  };
}

export type QuoteFigures = ReturnType<typeof calculateQuoteFigures>;

interface PricedSection {
  readonly always_required: boolean;
  readonly items: readonly QuoteLineRow[];
  readonly total: string;
}

/** Adds up the required sections and the cheapest option. Returns null unless there are at least two options to choose from. */
function calculateMinimumTotal(sections: readonly PricedSection[], rate: string): string | null {
  const required = sections.filter(({ always_required: isRequired }) => isRequired);
  const options = sections.filter(({ always_required: isRequired }) => !isRequired);
  const [cheapest, second] = options.toSorted((one, other) => Number(one.total) - Number(other.total));
  // A single option can't be left out, so there is no lower total.
  if (!cheapest || !second) return null;
  return calculateQuoteTotals([...required, cheapest], rate).total_amount;
}

function calculateProfit(items: readonly QuoteLineRow[]) {
  const lines = items.map((item) => ({ ...item, cost_price: item.cost_price || null }));
  const total = estimateProfit(lines);
  const services = estimateProfit(lines.filter(({ is_service: isService }) => isService));
  // Materials are the remainder, so that services and materials always add up to the total.
  return { total, services, materials: subtractMoney(total, services) };
}
