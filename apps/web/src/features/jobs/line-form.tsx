import { requiredAmount, requiredText } from '@callout/contract/fields';
import { discountFields } from '@callout/contract/job-line-input';
import { calculateLinePrice, NO_DISCOUNT } from '@callout/domain/jobs/line-price';
import { parseQuantity } from '@callout/domain/jobs/quantity';
import { isDecimalAmount } from '@callout/domain/money/amount';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { formatMoney } from '@callout/domain/money/money-format';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { z } from 'zod';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { useProfile } from '../company/company.api.ts';

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

export function UnitPriceField(props: FieldRegistration) {
  return <DecimalField {...props} label="Unit price" step="1" leading={getCurrencySymbol(useProfile()?.currency)} />;
}

interface TypedPrice {
  quantity: string;
  unit_price: string;
  discount_percent?: string;
  discount_amount?: string;
  taxInclusive: boolean;
}

const toAmount = (text: string | undefined) =>
  text !== undefined && isDecimalAmount(normalizeDecimal(text)) ? normalizeDecimal(text) : null;

/** Shows the total that the typed values result in, or a dash until they are valid. */
export function LineTotal({ quantity, unit_price, discount_percent, discount_amount, taxInclusive }: TypedPrice) {
  const currency = useProfile()?.currency;
  const [parsed, price] = [parseQuantity(normalizeDecimal(quantity)), toAmount(unit_price)];
  const percent = toAmount(discount_percent);
  const discount = { ...NO_DISCOUNT, discount_percent: percent, discount_amount: percent === null ? toAmount(discount_amount) : null };
  const total =
    'quantity' in parsed && price !== null
      ? formatMoney(calculateLinePrice({ quantity: String(parsed.quantity), unit_price: price, ...discount }).total_price, currency)
      : '–';
  return (
    <p className="flex items-baseline justify-between text-base sm:col-span-2">
      Total
      <span className="text-lg font-semibold tabular-nums">
        {total} <span className="text-sm font-normal text-ink-3">{getTaxInclusionLabel(taxInclusive)}</span>
      </span>
    </p>
  );
}
