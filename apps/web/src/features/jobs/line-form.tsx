import { requiredAmount, requiredText } from '@callout/contract/fields';
import { discountFields } from '@callout/contract/job-line-input';
import type { Job, JobItem } from '@callout/contract/jobs';
import { applyLineDiscount } from '@callout/domain/jobs/line-price';
import { parseQuantity } from '@callout/domain/jobs/quantity';
import { isDecimalAmount } from '@callout/domain/money/amount';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { calculateLineTotal, sumMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { z } from 'zod';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';

export const QuantityText = requiredText('Quantity', 20).transform((text, { addIssue }) => {
  const parsed = parseQuantity(normalizeDecimal(text));
  if ('quantity' in parsed) return parsed.quantity;
  if (text !== '') addIssue(parsed.error);
  return z.NEVER;
});

const taxFields = { tax: z.enum(['inc', 'exc']) };
export const PriceSchema = z.object({ quantity: QuantityText, unit_price: requiredAmount('Unit price') });
export const TypedLineSchema = PriceSchema.extend({ name: requiredText('Name', 200), ...taxFields });
export const EditedLineSchema = TypedLineSchema.extend({ is_service: z.boolean(), ...discountFields });

export const TAX_CHOICES = [
  { value: 'inc', label: getTaxInclusionLabel(true) },
  { value: 'exc', label: getTaxInclusionLabel(false) },
];

type FieldRegistration = Omit<Partial<React.ComponentProps<typeof DecimalField>>, 'label'>;

export function QuantityField(props: FieldRegistration) {
  return <DecimalField {...props} label="Quantity" step="1" />;
}

export function UnitPriceField({ currency, ...props }: FieldRegistration & Pick<Job, 'currency'>) {
  return <DecimalField {...props} label="Unit price" step="1" leading={getCurrencySymbol(currency)} />;
}

interface TypedPrice {
  quantity: string;
  unit_price: string;
  discount_percent?: string;
  discount_amount?: string;
  taxInclusive: boolean;
  /** The line as stored. A line that bills time has an exact total, which isn't quantity times unit price until one of them changes. */
  stored?: JobItem | undefined;
}

const DiscountSchema = z.object(discountFields);

/** Returns null unless all values are valid. Rounds like the server. */
function calculateTypedTotal({ stored, ...typed }: TypedPrice): string | null {
  const parsed = parseQuantity(normalizeDecimal(typed.quantity));
  const price = normalizeDecimal(typed.unit_price);
  const [percent, amount] = [normalizeDecimal(typed.discount_percent ?? ''), normalizeDecimal(typed.discount_amount ?? '')];
  const discount = DiscountSchema.safeParse({ discount_percent: percent, discount_amount: amount });
  if ('error' in parsed || !isDecimalAmount(price) || !discount.success) return null;
  const isPriceKept = stored && parsed.quantity === Number(stored.quantity) && Number(price) === Number(stored.unit_price);
  const fullPrice = isPriceKept ? sumMoney([stored.total_price, stored.discount]) : calculateLineTotal(price, String(parsed.quantity));
  if (Number(discount.data.discount_amount ?? 0) > Number(fullPrice)) return null;
  return applyLineDiscount(fullPrice, discount.data).total_price;
}

/** Shows the total that the typed values result in, or a dash until they are valid. */
export function LineTotal({ currency, ...typed }: TypedPrice & Pick<Job, 'currency'>) {
  const total = calculateTypedTotal(typed);
  return (
    <p className="flex items-baseline justify-between text-base sm:col-span-2">
      Total
      <span className="text-lg font-semibold tabular-nums">
        {total === null ? '–' : formatMoney(total, currency)}{' '}
        <span className="text-sm font-normal text-ink-3">{getTaxInclusionLabel(typed.taxInclusive)}</span>
      </span>
    </p>
  );
}
