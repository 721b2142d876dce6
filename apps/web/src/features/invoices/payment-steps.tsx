import type { Billing } from '@callout/contract/invoices';
import { isZeroAmount } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { classNames } from '../../ui/class-names.ts';
import { useMe } from '../company/company.api.ts';
import { getActivePayments, isCredited, isJobFinished, isSettled } from './payment-state.ts';

interface ProgressStep {
  label: string;
  isDone: boolean;
}

export function PaymentSteps({ billing }: { billing: Billing }) {
  const { sends_mail: sendsMail } = useMe();
  const { formatDisplayDate } = useDisplayFormat();
  if (billing.job.status === 'canceled') return null;
  const steps = [getWorkStep(billing), getSendStep(billing, sendsMail, formatDisplayDate), getPaymentStep(billing)];
  const current = steps.findIndex(({ isDone }) => !isDone);
  return (
    <div className="@container border-t px-4 py-4 lg:px-5 print:hidden">
      <ol aria-label="Progress" className="flex flex-col gap-x-3 gap-y-2 text-base @min-[32rem]:flex-row @min-[32rem]:items-center">
        {steps.map((step, index) => (
          <li
            key={step.label}
            aria-current={index === current ? 'step' : undefined}
            className={classNames(
              'flex items-center gap-2 after:ml-1 after:h-px after:w-9 after:min-w-2 after:shrink after:bg-line-strong after:content-[""] last:after:hidden @max-[32rem]:after:hidden',
              step.isDone ? 'text-ok-ink' : index === current ? 'font-medium text-ink' : 'text-ink-3',
            )}
          >
            <ProgressIcon step={step} isCurrent={index === current} />
            {step.label}
            {step.isDone && <span className="sr-only"> (done)</span>}
          </li>
        ))}
      </ol>
    </div>
  );
}

function ProgressIcon({ step, isCurrent }: { step: ProgressStep; isCurrent: boolean }) {
  const Icon = step.isDone ? CircleCheck : isCurrent ? CircleDot : Circle;
  return <Icon aria-hidden="true" className="size-4 shrink-0" />;
}

const getWorkStep = (billing: Billing): ProgressStep =>
  isJobFinished(billing) ? { label: 'Complete', isDone: true } : { label: 'Complete the job', isDone: false };

function getSendStep(billing: Billing, sendsMail: boolean, formatSentDate: (instant: string) => string): ProgressStep {
  const { invoice, differs } = billing;
  const verb = sendsMail ? 'Send' : 'Issue';
  // A job paid in person needs no invoice. Until the job is complete, one may still be sent, so the step isn't done yet.
  if (!invoice)
    return isSettled(billing) && !isCredited(billing)
      ? { label: 'No invoice sent', isDone: isJobFinished(billing) }
      : { label: `${verb} the invoice`, isDone: false };
  if (differs) return { label: `${verb} the corrected invoice`, isDone: false };
  if (invoice.sent_at === null) return { label: sendsMail ? 'Send the invoice' : 'Hand over the invoice', isDone: false };
  const what = invoice.handed_over_by === null ? 'Invoice sent' : 'Invoice handed over';
  return { label: `${what}, ${formatSentDate(invoice.sent_at)}`, isDone: true };
}

function getPaymentStep(billing: Billing): ProgressStep {
  const { document, paid_amount: paid, payments, request } = billing;
  const paidDates = getActivePayments(payments).map(({ paid_on }) => paid_on);
  const lastPaidOn = paidDates.toSorted().at(-1);
  if (billing.job.status === 'paid') return { label: lastPaidOn ? `Paid, ${formatCivilDate(lastPaidOn)}` : 'Paid', isDone: true };
  if (isZeroAmount(paid)) return { label: 'Paid', isDone: false };
  const money = (amount: string) => formatMoney(amount, document.currency);
  const { overpaid } = request;
  if (!isZeroAmount(overpaid)) return { label: `Paid ${money(paid)}, ${money(overpaid)} too much`, isDone: true };
  const [paidText, totalText] = [money(paid), money(document.exact.amount)];
  return { label: `Paid ${paidText} of ${totalText}`, isDone: isSettled(billing) };
}
