import type { PublicInvoice } from '@callout/contract/public-invoices';
import { formatAmount } from '@callout/domain/money/money-format';
import Copy from 'lucide-react/icons/copy';
import ExternalLink from 'lucide-react/icons/external-link';
import Info from 'lucide-react/icons/info';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { AmountRow } from '../../../public-pages/document-lines.tsx';
import { Button } from '../../../ui/button.tsx';
import { getButtonClasses } from '../../../ui/button-classes.ts';
import { classNames } from '../../../ui/class-names.ts';
import { formatPayableAmount, hasOnlineFee, isMethodAvailable, type PublicPaymentMethod } from './payment-methods.ts';
import { CopyableRow, CopyToast } from './public-invoice-copy.tsx';
import { CARD_CLASSES, getCompanyName } from './public-invoice-header.tsx';
import { type CopyableText, type CopyMessage, useCopyToClipboard } from './use-copy-to-clipboard.ts';

const PAYMENT_METHODS: readonly PublicPaymentMethod[] = ['online', 'bank'];
const METHOD_LABELS = { online: 'Online Payment', bank: 'Internet Banking' } as const;
const HOME_END_TARGETS: Partial<Record<string, PublicPaymentMethod>> = { Home: 'online', End: 'bank' };

interface PaymentMethodsProps {
  invoice: PublicInvoice;
  method: PublicPaymentMethod;
  onSelect: (method: PublicPaymentMethod) => void;
}

/** Offers the payment methods. On phones, the selected method's button sticks to the bottom of the screen. */
export function InvoicePaymentMethods({ invoice, method, onSelect }: PaymentMethodsProps) {
  const { message, copy } = useCopyToClipboard();
  const copyText = (copyable: CopyableText) => void copy(copyable);
  if (!PAYMENT_METHODS.some((each) => isMethodAvailable(invoice, each)))
    return <ContactCompany invoice={invoice} onCopy={copyText} message={message} />;
  return (
    <section aria-labelledby="payment" className="contents lg:block lg:p-px">
      <h2 id="payment" className="mt-6 text-lg font-semibold lg:mt-0 print:hidden">
        Select a payment method
      </h2>
      <PaymentMethodTabs invoice={invoice} method={method} onSelect={onSelect} />
      <PaymentMethodPanel method="online" isSelected={method === 'online'}>
        <OnlinePaymentPanel invoice={invoice} />
      </PaymentMethodPanel>
      <PaymentMethodPanel method="bank" isSelected={method === 'bank'}>
        <BankTransferPanel invoice={invoice} onCopy={copyText} />
      </PaymentMethodPanel>
      {isMethodAvailable(invoice, method) ? (
        <PaymentActionBar invoice={invoice} method={method} onCopy={copyText} message={message} />
      ) : (
        <CopyToast message={message} />
      )}
    </section>
  );
}

function PaymentMethodTabs({ invoice, method, onSelect }: PaymentMethodsProps) {
  const handleKeyDown = (event: KeyboardEvent) => {
    const isArrow = event.key.startsWith('Arrow');
    const next = isArrow ? PAYMENT_METHODS.find((each) => each !== method) : HOME_END_TARGETS[event.key];
    if (!next) return;
    event.preventDefault();
    onSelect(next);
    document.getElementById(`${next}-tab`)?.focus();
  };
  return (
    <div
      role="tablist"
      aria-labelledby="payment"
      className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-2 print:hidden"
    >
      {PAYMENT_METHODS.map((each) => {
        const isSelected = each === method;
        return (
          <button
            key={each}
            id={`${each}-tab`}
            type="button"
            role="tab"
            aria-selected={isSelected}
            aria-controls={`${each}-panel`}
            tabIndex={isSelected ? 0 : -1}
            onClick={() => onSelect(each)}
            onKeyDown={handleKeyDown}
            className={classNames(
              'flex min-h-16 flex-col justify-center rounded-card bg-surface px-[14px] py-2.5 text-left text-base transition-shadow duration-120',
              isSelected ? 'text-accent-ink ring-2 ring-accent' : 'shadow-card hover:bg-sunken',
            )}
          >
            <span className={classNames(isSelected && 'font-medium')}>{METHOD_LABELS[each]}</span>{' '}
            {isMethodAvailable(invoice, each) ? (
              <span className="text-lg font-semibold tabular-nums">{formatPayableAmount(invoice, each)}</span>
            ) : (
              <span className="text-sm text-ink-3">Not available</span>
            )}
          </button>
        );
      })}
    </div>
  );
}

interface PaymentMethodPanelProps {
  method: PublicPaymentMethod;
  isSelected: boolean;
  children: ReactNode;
}

/** Bank details are always printed, because tabs don't work on paper. */
function PaymentMethodPanel({ method, isSelected, children }: PaymentMethodPanelProps) {
  return (
    <div
      id={`${method}-panel`}
      role="tabpanel"
      aria-labelledby={`${method}-tab`}
      className={classNames(CARD_CLASSES, 'mt-2 print:mt-3', !isSelected && 'hidden', !isSelected && method === 'bank' && 'print:block')}
    >
      {children}
    </div>
  );
}

function PaymentPanelTitle({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-2 text-base font-medium">
      <ShieldCheck aria-hidden="true" className="size-5 shrink-0 text-ink-2" />
      {children}
    </p>
  );
}

function UnavailableNote({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 text-base text-ink-2">
      <Info aria-hidden="true" className="mt-px size-4.5 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

function OnlinePaymentPanel({ invoice }: { invoice: PublicInvoice }) {
  const { request, document, payments } = invoice;
  if (!isMethodAvailable(invoice, 'online')) return <UnavailableNote>Online payment is not available for this invoice.</UnavailableNote>;
  const amountLabel = request.what === 'deposit' ? 'Deposit due' : payments.length > 0 ? 'Amount due' : 'Items and GST';
  return (
    <>
      <PaymentPanelTitle>Quick and secure PayPal payment</PaymentPanelTitle>
      {hasOnlineFee(invoice, 'online') && (
        <table className="mt-2 w-full text-base">
          <caption className="sr-only">{`Online payment to ${getCompanyName(document)}`}</caption>
          <tbody>
            <AmountRow label={amountLabel} amount={formatAmount(request.amount)} className="text-ink-2" />
            <AmountRow label="PayPal Fee" amount={formatAmount(request.fee)} className="text-ink-2" />
          </tbody>
          <tbody className="border-t">
            <AmountRow label="Total online" amount={formatPayableAmount(invoice, 'online')} className="pt-2 font-semibold" />
          </tbody>
        </table>
      )}
    </>
  );
}

interface BankTransferPanelProps {
  invoice: PublicInvoice;
  onCopy: (copyable: CopyableText) => void;
}

const toCopyableAccount = (text: string): CopyableText => ({ id: 'account-number', name: 'Account number', text });

function BankTransferPanel({ invoice, onCopy }: BankTransferPanelProps) {
  const { bank_name, bank_account_number, document } = invoice;
  return (
    <>
      {bank_account_number === null ? (
        <UnavailableNote>{`Please ask ${getCompanyName(document)} for the account number.`}</UnavailableNote>
      ) : (
        <PaymentPanelTitle>Secure bank transfer</PaymentPanelTitle>
      )}
      <dl className="mt-2 divide-y print:flex print:flex-wrap print:gap-x-8 print:divide-y-0">
        <div className="py-2">
          <dt className="text-sm text-ink-3">Amount</dt>
          <dd className="text-lg font-semibold tabular-nums">{formatPayableAmount(invoice, 'bank')}</dd>
        </div>
        {bank_name !== null && (
          <CopyableRow label="Bank name" copyable={{ id: 'bank-name', name: 'Bank name', text: bank_name }} onCopy={onCopy} />
        )}
        {bank_account_number !== null && (
          <CopyableRow label="Account number" copyable={toCopyableAccount(bank_account_number)} onCopy={onCopy} />
        )}
        <PaymentReferenceRow reference={document.reference} onCopy={onCopy} />
      </dl>
      <p className="mt-1 text-sm text-ink-2">Please include the payment reference when making your transfer</p>
    </>
  );
}

function PaymentReferenceRow({ reference, onCopy }: { reference: string; onCopy: BankTransferPanelProps['onCopy'] }) {
  const copyable = { id: 'payment-reference', name: 'Payment reference', text: reference };
  return <CopyableRow label="Payment Reference" copyable={copyable} onCopy={onCopy} />;
}

interface PaymentActionBarProps {
  invoice: PublicInvoice;
  method: PublicPaymentMethod;
  onCopy: (copyable: CopyableText) => void;
  message: CopyMessage | null;
}

const ACTION_CLASSES = 'py-3 text-lg! font-semibold! tabular-nums';

function PaymentActionBar({ invoice, method, onCopy, message }: PaymentActionBarProps) {
  const { payment_link, bank_account_number } = invoice;
  return (
    <div
      data-docked="bottom"
      className="order-last -mx-[16px] mt-6 border-t bg-surface px-[16px] pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] tall:sticky tall:bottom-0 tall:z-20 lg:static lg:mx-0 lg:mt-3 lg:border-0 lg:bg-transparent lg:p-0 print:hidden"
    >
      {method === 'online' && payment_link !== null && <PayPalLink href={payment_link} invoice={invoice} />}
      {method === 'bank' && bank_account_number !== null && (
        <Button tone="primary" fullWidth className={ACTION_CLASSES} onClick={() => onCopy(toCopyableAccount(bank_account_number))}>
          <Copy aria-hidden="true" className="size-5!" />
          Copy account number
        </Button>
      )}
      <CopyToast message={message} isAboveBar />
    </div>
  );
}

/** PayPal doesn't notify this page of a payment, so a note explains the delay. Otherwise, customers might pay twice. */
function PayPalLink({ href, invoice }: { href: string; invoice: PublicInvoice }) {
  const [hasOpenedPayPal, setHasOpenedPayPal] = useState(false);
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => setHasOpenedPayPal(true)}
        className={classNames(getButtonClasses('primary', true), ACTION_CLASSES)}
      >
        Pay {formatPayableAmount(invoice, 'online')}
        <ExternalLink aria-hidden="true" className="size-5!" />
      </a>
      <p className="mt-2 text-center text-sm text-ink-2">
        <span>Secure online payment</span>. <span>Opens PayPal in a new tab.</span>
      </p>
      <p role="status" className="text-center text-sm font-medium text-ink-2">
        {hasOpenedPayPal && `Your payment will appear here once ${getCompanyName(invoice.document)} confirms it.`}
      </p>
    </>
  );
}

interface ContactCompanyProps extends BankTransferPanelProps {
  message: CopyMessage | null;
}

/** Rendered instead of the tabs if neither payment method is set up. */
function ContactCompany({ invoice: { document }, onCopy, message }: ContactCompanyProps) {
  return (
    <section aria-labelledby="payment" className={classNames(CARD_CLASSES, 'mt-6 lg:mt-0')}>
      <h2 id="payment" className="text-lg font-semibold">
        How to pay
      </h2>
      <p className="mt-1 text-base text-ink-2">{`Online payment and bank details are not available. Please contact ${getCompanyName(document)} to arrange payment.`}</p>
      <dl className="mt-1">
        <PaymentReferenceRow reference={document.reference} onCopy={onCopy} />
      </dl>
      <CopyToast message={message} />
    </section>
  );
}
