import type { Billing } from '@callout/contract/invoices';
import { formatMoney } from '@callout/domain/money/money-format';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { SUMMARY_LINK_CLASSES } from '../../ui/summary-field.tsx';
import { useCan, useProfile } from '../company/company.api.ts';
import { PaymentQr } from './payment-qr.tsx';
import { getPaymentLink, isCredited, isDepositPaid, isSettled } from './payment-state.ts';

/** Displays a PayPal QR code for a customer who pays in person, or explains how to set up PayPal if it isn't set up. */
export function InPersonPaymentCard({ billing }: { billing: Billing }) {
  const link = getPaymentLink(billing);
  if (!link) return <MissingPaymentMethodsHint billing={billing} />;
  return (
    <section aria-labelledby="pay-on-the-spot" className="print:hidden">
      <Card className="p-4">
        <div className="flex items-baseline justify-between gap-4 text-base font-medium">
          <h2 id="pay-on-the-spot">Pay on the spot</h2>
          <span className="tabular-nums">{formatRequestedAmount(billing)}</span>
        </div>
        <PaymentQrWithLink link={link} />
      </Card>
      <MissingPaymentMethodsHint billing={billing} />
    </section>
  );
}

/** Formats the amount that the QR code requests, including the PayPal fee. */
export const formatRequestedAmount = ({ request, document }: Billing) => formatMoney(request.total, document.currency);

export function PaymentQrWithLink({ link }: { link: string }) {
  return (
    <>
      <div className="pt-3 pb-2">
        <PaymentQr link={link} />
      </div>
      <p className="text-center">
        <a href={link} target="_blank" rel="noopener noreferrer" className={`${SUMMARY_LINK_CLASSES} py-3 text-base`}>
          Open payment link
        </a>
      </p>
    </>
  );
}

export function MissingPaymentMethodsHint({ billing }: { billing: Billing }) {
  const profile = useProfile();
  if (!profile || isSettled(billing) || isDepositPaid(billing) || isCredited(billing) || billing.job.status === 'canceled') return null;
  const hasBank = Boolean(profile.bank_account_number);
  const hasPayPal = Boolean(profile.paypal_email);
  if (hasBank && hasPayPal) return null;
  if (hasBank)
    return <SettingsHint action="Add it in Settings">Customers can pay online with a QR code once you add your PayPal email.</SettingsHint>;
  if (hasPayPal)
    return <SettingsHint action="Add it in Settings">Customers can pay by bank transfer once you add your account number.</SettingsHint>;
  return (
    <SettingsHint action="Add one in Settings">Customers can't pay this invoice yet: it has no bank account or PayPal email.</SettingsHint>
  );
}

function SettingsHint({ action, children }: { action: string; children: ReactNode }) {
  const canEdit = useCan('company.edit');
  return (
    <p className="mt-3 px-1 text-sm text-ink-2 print:hidden">
      {children}{' '}
      {canEdit && (
        <Link to="/settings" search={{ tab: 'general' }} className={SUMMARY_LINK_CLASSES}>
          {action}
        </Link>
      )}
    </p>
  );
}
