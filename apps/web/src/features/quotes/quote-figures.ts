import { QuoteQuantity } from '@callout/contract/quote-input';
import { isAmount } from '@callout/domain/money/amount';
import { lineTotal, subtractMoney } from '@callout/domain/money/money';
import { estimatedProfit, quoteTotals, sectionTotals } from '@callout/domain/quotes/quote-price';
import { readDecimal } from '../../ui/decimal-text.ts';
import type { LineRow } from './quote-form.ts';
import { itemsBySection, type QuoteLines } from './quote-lines.ts';

/** As the line is saved. */
const readLine = (line: LineRow) => ({
  ...line,
  quantity: readDecimal(line.quantity).trim(),
  unit_price: readDecimal(line.unit_price).trim(),
});

/** The same few quantities come again with every key pressed. */
const checkedQuantities = new Map<string, boolean>();

function isQuantity(text: string): boolean {
  const known = checkedQuantities.get(text) ?? QuoteQuantity.safeParse(text).success;
  checkedQuantities.set(text, known);
  return known;
}

const isPriced = ({ quantity, unit_price: price }: LineRow) => isQuantity(quantity) && isAmount(price);

/** Null while its quantity or price cannot be read. */
export function totalOfLine(line: LineRow): string | null {
  const read = readLine(line);
  return isPriced(read) ? lineTotal(read.unit_price, read.quantity) : null;
}

/** Everything the summary shows, by the rules of saving. Lines that cannot be read yet are left out. The rate is in percent. */
export function quoteFigures(lines: QuoteLines, rate: string) {
  const groups = itemsBySection(lines);
  const sections = lines.sections.map((section) => {
    const items = (groups.get(section.id) ?? []).map(readLine).filter(isPriced);
    return { ...section, items, total: sectionTotals({ items }, rate).total_amount };
  });
  return {
    sections,
    totals: quoteTotals(sections, rate),
    minimumTotal: minimumTotal(sections, rate),
    profit: profitOf(sections.flatMap(({ items }) => items)),
  };
}

export type QuoteFigures = ReturnType<typeof quoteFigures>;

interface FiguredSection {
  readonly always_required: boolean;
  readonly items: readonly LineRow[];
  readonly total: string;
}

/** The least a customer can accept: what is required and the cheapest option. Null when there is nothing to choose. */
function minimumTotal(sections: readonly FiguredSection[], rate: string): string | null {
  const required = sections.filter(({ always_required: isRequired }) => isRequired);
  const options = sections.filter(({ always_required: isRequired }) => !isRequired);
  const [cheapest, second] = options.toSorted((one, other) => Number(one.total) - Number(other.total));
  // A single option must be accepted with the rest.
  if (!cheapest || !second) return null;
  return quoteTotals([...required, cheapest], rate).total_amount;
}

function profitOf(items: readonly LineRow[]) {
  const lines = items.map((item) => ({ ...item, cost_price: item.cost_price || null }));
  const total = estimatedProfit(lines);
  const services = estimatedProfit(lines.filter(({ is_service: isService }) => isService));
  // As the rest, so that the two always add up.
  return { total, services, materials: subtractMoney(total, services) };
}
