import type { Billing } from '@callout/contract/invoices';
import { isZero } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import { classes } from '../../ui/classes.ts';
import { isFinished, isSettled, keptPayments } from './payment-state.ts';

interface Step {
  label: string;
  isDone: boolean;
}

/** From finished work to money, and where this job is. */
export function PaymentSteps({ billing }: { billing: Billing }) {
  if (billing.job.status === 'canceled') return null;
  const steps = [workStep(billing), sendStep(billing), payStep(billing)];
  const current = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol aria-label="Progress" className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t px-4 py-4 text-base lg:px-5 print:hidden">
      {steps.map((step, index) => (
        <li
          key={step.label}
          aria-current={index === current ? 'step' : undefined}
          className={classes(
            'flex items-center gap-2 after:ml-2 after:h-px after:w-9 after:bg-line-strong after:content-[""] last:after:hidden max-sm:after:hidden',
            step.isDone ? 'text-ok-ink' : index === current ? 'font-medium text-ink' : 'text-ink-3',
          )}
        >
          <StepIcon step={step} isCurrent={index === current} />
          {step.label}
          {step.isDone && <span className="sr-only"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}

function StepIcon({ step, isCurrent }: { step: Step; isCurrent: boolean }) {
  const Icon = step.isDone ? CircleCheck : isCurrent ? CircleDot : Circle;
  return <Icon aria-hidden="true" className="size-4 shrink-0" />;
}

const workStep = (billing: Billing): Step =>
  isFinished(billing) ? { label: 'Complete', isDone: true } : { label: 'Complete the job', isDone: false };

function sendStep(billing: Billing): Step {
  const { invoice, mails, differs } = billing;
  // Paid on the spot: nobody waits for an invoice. While work goes on, there may still be one.
  if (!invoice)
    return isSettled(billing) ? { label: 'No invoice sent', isDone: isFinished(billing) } : { label: 'Send the invoice', isDone: false };
  if (differs) return { label: 'Send the corrected invoice', isDone: false };
  const isMailed = mails.some(({ kind, invoice_number }) => kind === 'invoice' && invoice_number === invoice.invoice_number);
  return { label: `${isMailed ? 'Invoice sent' : 'Invoice issued'}, ${formatCivilDate(invoice.issued_on)}`, isDone: true };
}

function payStep(billing: Billing): Step {
  const { document, paid_amount: paid, payments } = billing;
  const days = keptPayments(payments).map(({ paid_on }) => paid_on);
  const last = days.toSorted().at(-1);
  if (billing.job.status === 'paid') return { label: last ? `Paid, ${formatCivilDate(last)}` : 'Paid', isDone: true };
  if (isZero(paid)) return { label: 'Paid', isDone: false };
  const [some, all] = [paid, document.exact.amount].map((amount) => formatMoney(amount, document.currency));
  return { label: `Paid ${some} of ${all}`, isDone: isSettled(billing) };
}
