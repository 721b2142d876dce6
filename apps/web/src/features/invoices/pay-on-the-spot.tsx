import type { Billing } from '@callout/contract/invoices';
import { formatMoney } from '@callout/domain/money/money-text';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { FACT_LINK } from '../../ui/fact.tsx';
import { useCan, useProfile } from '../company/company.api.ts';
import { PaymentQr } from './payment-qr.tsx';
import { isDepositPaid, isSettled, linkToPay } from './payment-state.ts';

/** The customer stands here with a phone: they scan what they owe. Without PayPal it says how to get there. */
export function PayOnTheSpot({ billing }: { billing: Billing }) {
  const link = linkToPay(billing);
  if (!link) return <MissingPaymentMethods billing={billing} />;
  return (
    <section aria-labelledby="pay-on-the-spot" className="print:hidden">
      <Card className="p-4">
        <div className="flex items-baseline justify-between gap-4 text-base font-medium">
          <h2 id="pay-on-the-spot">Pay on the spot</h2>
          <span className="tabular-nums">{amountAsked(billing)}</span>
        </div>
        <QrWithLink link={link} />
      </Card>
      <MissingPaymentMethods billing={billing} />
    </section>
  );
}

/** What the code asks for, with the fee. */
export const amountAsked = ({ request, document }: Billing) => formatMoney(request.total, document.currency);

export function QrWithLink({ link }: { link: string }) {
  return (
    <>
      <div className="pt-3 pb-2">
        <PaymentQr link={link} />
      </div>
      <p className="text-center">
        <a href={link} target="_blank" rel="noopener noreferrer" className={`${FACT_LINK} py-3 text-base`}>
          Open payment link
        </a>
      </p>
    </>
  );
}

/** Whoever sees an invoice without a way to pay it will call. */
export function MissingPaymentMethods({ billing }: { billing: Billing }) {
  const profile = useProfile();
  if (!profile || isSettled(billing) || isDepositPaid(billing) || billing.job.status === 'canceled') return null;
  const hasBank = Boolean(profile.bank_account_number);
  const hasPayPal = Boolean(profile.paypal_email);
  if (hasBank && hasPayPal) return null;
  if (hasBank)
    return <SettingsHint action="Add it in Settings">Customers can pay online with a QR code once you add your PayPal email.</SettingsHint>;
  if (hasPayPal)
    return <SettingsHint action="Add it in Settings">Customers can pay by bank transfer once you add your account number.</SettingsHint>;
  return (
    <SettingsHint action="Add one in Settings">This invoice shows no way to pay: there is no bank account or PayPal email.</SettingsHint>
  );
}

function SettingsHint({ action, children }: { action: string; children: ReactNode }) {
  const mayEdit = useCan('company.edit');
  return (
    <p className="mt-3 px-1 text-sm text-ink-2 print:hidden">
      {children}{' '}
      {mayEdit && (
        <Link to="/settings" search={{ tab: 'general' }} className={FACT_LINK}>
          {action}
        </Link>
      )}
    </p>
  );
}
