import type { Billing, Payment } from '@callout/contract/invoices';
import { formatPaymentMethod } from '@callout/domain/invoices/invoice';
import { isZeroAmount } from '@callout/domain/money/money';
import { formatAmount, formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { Undo2 } from 'lucide-react';
import { useNeedsConnection } from '../../lib/online-button.tsx';
import { FIGURE_CLASSES } from '../../lib/priced-lines.tsx';
import { Card } from '../../ui/card.tsx';
import { MoreMenu } from '../../ui/menu.tsx';

interface PaymentListProps {
  billing: Billing;
  onReverse: (payment: Payment) => void;
}

export function PaymentList({ billing, onReverse }: PaymentListProps) {
  const { payments, paid_amount: paid, document } = billing;
  if (payments.length === 0) return null;
  return (
    <section aria-labelledby="payments" className="print:hidden">
      <Card>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 pt-4 pr-16 pb-2 pl-4 text-lg font-semibold lg:pr-14 lg:pl-5">
          <h2 id="payments" tabIndex={-1}>
            Payments
          </h2>
          <span className={FIGURE_CLASSES}>{formatMoney(paid, document.currency)}</span>
        </div>
        <ul aria-label="Payments" className="divide-y border-t">
          {payments.map((payment) => (
            <PaymentItem key={payment.id} payment={payment} onReverse={onReverse} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

function PaymentItem({ payment, onReverse }: { payment: Payment; onReverse: PaymentListProps['onReverse'] }) {
  const { amount, fee, paid_on, note, recorded_by, reverses, is_reversed: isReversed } = payment;
  const disabledReason = useNeedsConnection();
  const menuLabel = `More actions for the payment of ${formatAmount(amount)}`;
  return (
    <li className="flex flex-wrap items-start gap-x-3 py-2.5 pr-2 pl-4 text-base lg:pl-5">
      <div className="min-w-0 flex-1 basis-36 py-1.5 [overflow-wrap:anywhere]">
        <p>
          <span className="font-medium">{formatPaymentMethod(payment)}</span>
          <span className="text-ink-2 tabular-nums">{` · ${formatCivilDate(paid_on)}`}</span>
        </p>
        <p className="text-sm text-ink-3">{`Recorded by ${recorded_by}`}</p>
        {note && <p className="text-sm text-ink-2">{note}</p>}
      </div>
      <p className={`${FIGURE_CLASSES} ml-auto py-1.5`}>
        <span className="block font-medium">{formatAmount(amount)}</span>
        {!isZeroAmount(fee) && <span className="block text-sm text-ink-2">{formatAmount(fee)} fee</span>}
      </p>
      <div className="size-11 shrink-0 lg:size-9">
        {reverses === null && !isReversed && (
          <MoreMenu
            label={menuLabel}
            items={[{ label: 'Reverse payment', icon: Undo2, tone: 'danger', onSelect: () => onReverse(payment), disabledReason }]}
          />
        )}
      </div>
    </li>
  );
}
