import type { Billing } from '@callout/contract/invoices';
import { PaymentInput } from '@callout/contract/payment-form';
import { PAYMENT_METHOD_LABELS, PAYMENT_METHODS } from '@callout/domain/invoices/invoice';
import { isActiveStatus } from '@callout/domain/jobs/job';
import { isDecimalAmount } from '@callout/domain/money/amount';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { isPositiveAmount, isZeroAmount, subtractMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-format';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { OnlineButton } from '../../lib/online-button.tsx';
import { usePersistentFormDraft } from '../../lib/use-persistent-draft.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { CheckboxField } from '../../ui/choice-fields.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { formatPaymentResult, useRecordPayment } from './invoices-billing.api.ts';
import { getAmountDue, isCredited, isDepositPaid, isJobFinished } from './payment-state.ts';

const METHOD_CHOICES = PAYMENT_METHODS.map((value) => ({ value, label: PAYMENT_METHOD_LABELS[value] }));

/** Requires an amount. The contract treats a null amount as everything outstanding, which a cleared field must not mean. */
const RecordPaymentFormSchema = PaymentInput.extend({
  amount: PaymentInput.shape.amount.refine((amount) => amount !== null, 'Amount is required'),
});

interface RecordPaymentDialogProps {
  billing: Billing;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Must reset the dialog, so that it starts a new payment the next time it opens. */
  onRecorded: (billing: Billing | undefined) => void;
}

/** Records a payment with any amount, date and method. The form is prefilled, so that Enter records the requested amount. */
export function RecordPaymentDialog({ billing, open, onOpenChange, onRecorded }: RecordPaymentDialogProps) {
  const { job, request, today, earliest_payment_on, payments } = billing;
  const due = getAmountDue(billing);
  const suggestion = isDepositPaid(billing) ? due : request.amount;
  const suggestedAmount = isZeroAmount(due) ? '' : suggestion;
  const record = useRecordPayment();
  const me = useMe();
  /** Created once per payment, so that a retry after a lost response doesn't record a second payment. */
  const [id, setId] = useState(createId);
  const formId = useId();
  const finish = (result: Billing | undefined) => {
    onLeaving(true);
    onOpenChange(false);
    onRecorded(result);
  };
  const wasSent = useRef(false);
  const { form, submit, saving, onLeaving, isAbandoned } = useServerForm({
    schema: RecordPaymentFormSchema,
    defaultValues: { amount: suggestedAmount, paid_on: today, method: 'bank_transfer' as const, note: '', is_excess_confirmed: false },
    save: (payment) => {
      wasSent.current = true;
      // The amount due is sent along, so that people confirm only an excess that they have seen.
      const isExcess = needsConfirmation(billing, payment.method, payment.amount);
      return record.mutateAsync({ ...payment, id, job_id: job.id, ...(isExcess && { outstanding: due }) });
    },
    onSaved: finish,
    onFailed: (error) => hasErrorCode(error, 'ID_TAKEN') && finish(undefined),
  });
  const { errors } = form.formState;
  useEffect(() => {
    // Update untouched suggestions after payments made elsewhere, but not after submitting: a retry must send the same values.
    if (!wasSent.current) form.reset({ ...form.getValues(), amount: suggestedAmount, paid_on: today }, { keepDirtyValues: true });
  }, [form, suggestedAmount, today]);
  const isRecorded = !saving && payments.some((payment) => payment.id === id);
  const handleRecorded = useEffectEvent(() => {
    toast.success(formatPaymentResult(billing));
    finish(billing);
  });
  useEffect(() => {
    // The payment is in the list, so it was recorded and only the response was lost.
    if (isRecorded) handleRecorded();
  }, [isRecorded]);
  usePersistentFormDraft(form, { person: me.user.id, part: 'payment', newRecordId: [id, setId], isAbandoned });
  const close = () => {
    onLeaving(true);
    onOpenChange(false);
  };
  const [amount, paidOn, method] = useWatch({ control: form.control, name: ['amount', 'paid_on', 'method'] });
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title="Record payment"
      actions={
        <>
          <Button disabled={saving} onClick={close}>
            Cancel
          </Button>
          <OnlineButton type="submit" form={formId} tone="primary" busy={saving}>
            {saving ? 'Saving…' : 'Record payment'}
          </OnlineButton>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid items-start gap-4 sm:grid-cols-2">
        <DecimalField
          {...form.register('amount', { setValueAs: normalizeDecimal })}
          label="Amount"
          leading={getCurrencySymbol(billing.document.currency)}
          hint={formatAmountHint(billing, amount)}
          error={errors.amount?.message}
        />
        <TextField
          {...form.register('paid_on')}
          type="date"
          label="Date"
          min={earliest_payment_on}
          max={today}
          hint={errors.paid_on ? undefined : formatDateHint(billing, paidOn)}
          error={errors.paid_on?.message}
        />
        <SelectField
          {...form.register('method')}
          label="Method"
          choices={METHOD_CHOICES}
          hint={formatFeeHint(billing, method, amount)}
          error={errors.method?.message}
        />
        <TextField {...form.register('note')} label="Note" optional autoComplete="off" maxLength={200} error={errors.note?.message} />
        {needsConfirmation(billing, method, amount) && (
          <CheckboxField
            {...form.register('is_excess_confirmed')}
            label={isUnbilledWork(billing) ? 'Record it as a deposit for more work' : 'Record it anyway'}
            hint={errors.amount ? undefined : formatExcessHint(billing, amount)}
            className="sm:col-span-2"
          />
        )}
      </form>
    </Sheet>
  );
}

/** States how much remains after this payment. The server reports overpayments. */
function formatAmountHint(billing: Billing, typed: string | null | undefined): string {
  const due = getAmountDue(billing);
  const money = (amount: string) => formatMoney(amount, billing.document.currency);
  const amount = normalizeDecimal(typed ?? '');
  const isPartial = isDecimalAmount(amount) && isPositiveAmount(amount) && isPositiveAmount(subtractMoney(due, amount));
  if (isPartial) return `Leaves ${money(subtractMoney(due, amount))} of ${money(due)}.`;
  if (isZeroAmount(due) && !isUnbilledWork(billing)) return 'Nothing is due.';
  return isJobFinished(billing) && !isCredited(billing) ? `${money(due)} is due.` : `${money(due)} is not paid yet.`;
}

/** Returns true while the price can still grow, so that a payment may be a deposit for more work. */
const isUnbilledWork = ({ job, invoice }: Billing) => isActiveStatus(job.status) && !invoice;

function formatExcessHint(billing: Billing, typed: string | null | undefined): string | undefined {
  const due = getAmountDue(billing);
  const money = (amount: string) => formatMoney(amount, billing.document.currency);
  if (isUnbilledWork(billing)) return `It is more than the ${money(due)} not paid yet.`;
  const excess = subtractMoney(normalizeDecimal(typed ?? ''), due);
  return isZeroAmount(due) ? undefined : `This is ${money(excess)} more than the ${money(due)} due.`;
}

/** Returns true if the typed amount is what an online payment costs with its fee, which the server then records separately. */
function includesFee({ request }: Billing, method: string | undefined, typed: string | null | undefined): boolean {
  const amount = normalizeDecimal(typed ?? '');
  if (method !== 'paypal' || isZeroAmount(request.fee) || !isDecimalAmount(amount)) return false;
  return isZeroAmount(subtractMoney(amount, request.total));
}

/** Explains the PayPal fee, because PayPal reports amounts that include it. */
function formatFeeHint(billing: Billing, method: string | undefined, typed: string | null | undefined): string | undefined {
  const { request, document } = billing;
  if (method !== 'paypal' || isZeroAmount(request.fee)) return undefined;
  const [total, fee] = [request.total, request.fee].map((amount) => formatMoney(amount, document.currency));
  return includesFee(billing, method, typed)
    ? `The PayPal Fee of ${fee} is recorded separately.`
    : `Enter ${total} if they paid the PayPal Fee of ${fee}, too.`;
}

/** Returns true for an amount that is larger than what is due. The server refuses it unless it is confirmed. */
function needsConfirmation(billing: Billing, method: string | undefined, typed: string | null | undefined): boolean {
  const due = getAmountDue(billing);
  const amount = normalizeDecimal(typed ?? '');
  const isUnpriced = isUnbilledWork(billing) && !isPositiveAmount(billing.document.exact.amount);
  if (isUnpriced || !isDecimalAmount(amount) || (!isZeroAmount(due) && includesFee(billing, method, typed))) return false;
  return isPositiveAmount(subtractMoney(amount, due));
}

/** Warns about a payment date before the invoice date. Such dates are allowed, because deposits are paid before the invoice. */
function formatDateHint({ invoice }: Billing, paidOn: string | null | undefined): string | undefined {
  if (!invoice || !paidOn || paidOn >= invoice.issued_on) return undefined;
  return `Before the invoice date (${formatCivilDate(invoice.issued_on)}), so this is recorded as a deposit.`;
}
