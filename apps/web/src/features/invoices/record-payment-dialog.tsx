import type { Billing } from '@callout/contract/invoices';
import { PaymentForm } from '@callout/contract/payment-form';
import { PAYMENT_METHOD_WORDS, PAYMENT_METHODS } from '@callout/domain/invoices/invoice';
import { isAmount } from '@callout/domain/money/amount';
import { currencySymbol } from '@callout/domain/money/currency';
import { isPositive, isZero, subtractMoney } from '@callout/domain/money/money';
import { formatMoney } from '@callout/domain/money/money-text';
import { formatCivilDate } from '@callout/domain/time/date-format';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { useLastingForm } from '../../lib/use-lasting-draft.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { readDecimal } from '../../ui/decimal-text.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useMe } from '../company/company.api.ts';
import { paidText, useRecordPayment } from './invoices-billing.api.ts';
import { isDepositPaid, isFinished } from './payment-state.ts';

const METHODS = PAYMENT_METHODS.map((value) => ({ value, label: PAYMENT_METHOD_WORDS[value] }));

/** 'Mark as Paid' means all that is due. An amount that somebody cleared does not. */
const RecordForm = PaymentForm.extend({
  amount: PaymentForm.shape.amount.refine((amount) => amount !== null, 'Amount is required'),
});

interface RecordPaymentDialogProps {
  billing: Billing;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The next opening starts a new payment. */
  onRecorded: (billing: Billing | undefined) => void;
}

/** A part payment, a deposit, or one of another day or method. Filled in, so that Enter records all that is asked for. */
export function RecordPaymentDialog({ billing, open, onOpenChange, onRecorded }: RecordPaymentDialogProps) {
  const { job, request, today, payments } = billing;
  const suggested = isDepositPaid(billing) ? request.outstanding : request.amount;
  const record = useRecordPayment();
  const me = useMe();
  /** Made once: sent again after a lost answer, it is one payment. */
  const [id, setId] = useState(newId);
  const formId = useId();
  const finish = (answer: Billing | undefined) => {
    onLeaving(true);
    onOpenChange(false);
    onRecorded(answer);
  };
  const wasSent = useRef(false);
  const { form, submit, saving, onLeaving, isLeftBehind } = useServerForm({
    schema: RecordForm,
    defaultValues: { amount: suggested, paid_on: today, method: 'bank_transfer' as const, note: '' },
    save: (payment) => {
      wasSent.current = true;
      return record.mutateAsync({ ...payment, id, job_id: job.id });
    },
    saved: finish,
    failed: (error) => hasCode(error, 'ID_TAKEN') && finish(undefined),
  });
  const { errors } = form.formState;
  useEffect(() => {
    // Somebody else was paid meanwhile: what was typed stays, and what was sent is sent again as it was.
    if (!wasSent.current) form.reset({ ...form.getValues(), amount: suggested, paid_on: today }, { keepDirtyValues: true });
  }, [form, suggested, today]);
  const isFound = !saving && payments.some((payment) => payment.id === id);
  const handleFound = useEffectEvent(() => {
    toast.success(paidText(billing));
    finish(billing);
  });
  useEffect(() => {
    // It was recorded, and only the answer was lost.
    if (isFound) handleFound();
  }, [isFound]);
  useLastingForm(form, { person: me.user.id, part: 'payment', newId: [id, setId], isLeftBehind });
  const close = () => {
    onLeaving(true);
    onOpenChange(false);
  };
  const [amount, day, method] = useWatch({ control: form.control, name: ['amount', 'paid_on', 'method'] });
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
          <Button type="submit" form={formId} tone="primary" busy={saving}>
            {saving ? 'Saving…' : 'Record payment'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid items-start gap-4 sm:grid-cols-2">
        <DecimalField
          {...form.register('amount', { setValueAs: readDecimal })}
          label="Amount"
          leading={currencySymbol(billing.document.currency)}
          hint={amountHint(billing, amount)}
          error={errors.amount?.message}
        />
        <TextField
          {...form.register('paid_on')}
          type="date"
          label="Date"
          min="2000-01-01"
          max={today}
          hint={dateHint(billing, day)}
          error={errors.paid_on?.message}
        />
        <SelectField
          {...form.register('method')}
          label="Method"
          choices={METHODS}
          hint={method === 'paypal' ? feeHint(billing) : undefined}
          error={errors.method?.message}
        />
        <TextField {...form.register('note')} label="Note" optional autoComplete="off" maxLength={200} error={errors.note?.message} />
      </form>
    </Sheet>
  );
}

/** What is left after it; the server says when it is too much. */
function amountHint(billing: Billing, typed: string | null | undefined): string {
  const { request, document } = billing;
  const money = (amount: string) => formatMoney(amount, document.currency);
  const amount = readDecimal(typed ?? '');
  const isPart = isAmount(amount) && isPositive(amount) && isPositive(subtractMoney(request.outstanding, amount));
  if (isPart) return `Leaves ${money(subtractMoney(request.outstanding, amount))} of ${money(request.outstanding)}.`;
  return isFinished(billing) ? `${money(request.outstanding)} is due.` : `${money(request.outstanding)} is not paid yet.`;
}

/** PayPal reports what came in with the fee; what is recorded is without it. */
function feeHint({ request, document }: Billing): string | undefined {
  if (isZero(request.fee)) return undefined;
  return `Enter the amount without the PayPal Fee (${formatMoney(request.fee, document.currency)}).`;
}

/** Not forbidden: a deposit comes before its invoice. */
function dateHint({ invoice }: Billing, day: string | null | undefined): string | undefined {
  if (!invoice || !day || day >= invoice.issued_on) return undefined;
  return `Before the invoice date (${formatCivilDate(invoice.issued_on)}), so it counts as a deposit.`;
}
