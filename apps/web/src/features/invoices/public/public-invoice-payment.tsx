import type { PublicInvoice } from '@callout/contract/public-invoices';
import { formatAmount } from '@callout/domain/money/money-text';
import Copy from 'lucide-react/icons/copy';
import ExternalLink from 'lucide-react/icons/external-link';
import Info from 'lucide-react/icons/info';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { AmountRow } from '../../../public-pages/document-lines.tsx';
import { Button } from '../../../ui/button.tsx';
import { buttonStyle } from '../../../ui/button-style.ts';
import { classes } from '../../../ui/classes.ts';
import { canPay, hasFee, type PaymentMethod, priceOf } from './payment-choice.ts';
import { CopyRow, CopyStatus } from './public-invoice-copy.tsx';
import { CARD, companyNameOf } from './public-invoice-head.tsx';
import { type Copied, type CopyMessage, useCopy } from './use-copy.ts';

const METHODS: readonly PaymentMethod[] = ['online', 'bank'];
const NAMES = { online: 'Online Payment', bank: 'Internet Banking' } as const;
const ARROWS: Partial<Record<string, PaymentMethod>> = { Home: 'online', End: 'bank' };

interface MethodsProps {
  invoice: PublicInvoice;
  method: PaymentMethod;
  onChoose: (method: PaymentMethod) => void;
}

/** The two ways to pay, each with its price; on phones the button of the chosen one stays at the bottom of the screen. */
export function InvoicePaymentMethods({ invoice, method, onChoose }: MethodsProps) {
  const { message, copy } = useCopy();
  const copyText = (copied: Copied) => void copy(copied);
  if (!METHODS.some((each) => canPay(invoice, each))) return <ContactCompany invoice={invoice} onCopy={copyText} message={message} />;
  return (
    <section aria-labelledby="payment" className="contents lg:block lg:p-px">
      <h2 id="payment" className="mt-6 text-lg font-semibold lg:mt-0 print:hidden">
        Select a payment method
      </h2>
      <MethodTabs invoice={invoice} method={method} onChoose={onChoose} />
      <MethodPanel method="online" isChosen={method === 'online'}>
        <OnlinePanel invoice={invoice} />
      </MethodPanel>
      <MethodPanel method="bank" isChosen={method === 'bank'}>
        <BankPanel invoice={invoice} onCopy={copyText} />
      </MethodPanel>
      {canPay(invoice, method) ? (
        <ActionBar invoice={invoice} method={method} onCopy={copyText} message={message} />
      ) : (
        <CopyStatus message={message} />
      )}
    </section>
  );
}

function MethodTabs({ invoice, method, onChoose }: MethodsProps) {
  const handleKeyDown = (event: KeyboardEvent) => {
    const isArrow = event.key.startsWith('Arrow');
    const next = isArrow ? METHODS.find((each) => each !== method) : ARROWS[event.key];
    if (!next) return;
    event.preventDefault();
    onChoose(next);
    document.getElementById(`${next}-tab`)?.focus();
  };
  return (
    <div
      role="tablist"
      aria-labelledby="payment"
      className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-2 print:hidden"
    >
      {METHODS.map((each) => {
        const isChosen = each === method;
        return (
          <button
            key={each}
            id={`${each}-tab`}
            type="button"
            role="tab"
            aria-selected={isChosen}
            aria-controls={`${each}-panel`}
            tabIndex={isChosen ? 0 : -1}
            onClick={() => onChoose(each)}
            onKeyDown={handleKeyDown}
            className={classes(
              'flex min-h-16 flex-col justify-center rounded-card bg-surface px-[14px] py-2.5 text-left text-base transition-shadow duration-120',
              isChosen ? 'text-accent-ink ring-2 ring-accent' : 'shadow-card hover:bg-sunken',
            )}
          >
            <span className={classes(isChosen && 'font-medium')}>{NAMES[each]}</span>{' '}
            {canPay(invoice, each) ? (
              <span className="text-lg font-semibold tabular-nums">{priceOf(invoice, each)}</span>
            ) : (
              <span className="text-sm text-ink-3">Not available</span>
            )}
          </button>
        );
      })}
    </div>
  );
}

interface MethodPanelProps {
  method: PaymentMethod;
  isChosen: boolean;
  children: ReactNode;
}

/** On paper the bank details are always there: nobody can tap on a tab. */
function MethodPanel({ method, isChosen, children }: MethodPanelProps) {
  return (
    <div
      id={`${method}-panel`}
      role="tabpanel"
      aria-labelledby={`${method}-tab`}
      className={classes(CARD, 'mt-2 print:mt-3', !isChosen && 'hidden', !isChosen && method === 'bank' && 'print:block')}
    >
      {children}
    </div>
  );
}

function PanelTitle({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-2 text-base font-medium">
      <ShieldCheck aria-hidden="true" className="size-5 shrink-0 text-ink-2" />
      {children}
    </p>
  );
}

function Unavailable({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 text-base text-ink-2">
      <Info aria-hidden="true" className="mt-px size-4.5 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

function OnlinePanel({ invoice }: { invoice: PublicInvoice }) {
  const { request, document, payments } = invoice;
  if (!canPay(invoice, 'online')) return <Unavailable>Online payment is not available for this invoice.</Unavailable>;
  const asked = request.what === 'deposit' ? 'Deposit due' : payments.length > 0 ? 'Amount due' : 'Items and GST';
  return (
    <>
      <PanelTitle>Quick and secure PayPal payment</PanelTitle>
      {hasFee(invoice, 'online') && (
        <table className="mt-2 w-full text-base">
          <caption className="sr-only">{`Online payment to ${companyNameOf(document)}`}</caption>
          <tbody>
            <AmountRow label={asked} amount={formatAmount(request.amount)} className="text-ink-2" />
            <AmountRow label="PayPal Fee" amount={formatAmount(request.fee)} className="text-ink-2" />
          </tbody>
          <tbody className="border-t">
            <AmountRow label="Total online" amount={priceOf(invoice, 'online')} className="pt-2 font-semibold" />
          </tbody>
        </table>
      )}
    </>
  );
}

interface BankPanelProps {
  invoice: PublicInvoice;
  onCopy: (copied: Copied) => void;
}

const accountOf = (text: string): Copied => ({ id: 'account-number', name: 'Account number', text });

function BankPanel({ invoice, onCopy }: BankPanelProps) {
  const { bank_name, bank_account_number, document } = invoice;
  return (
    <>
      {bank_account_number === null ? (
        <Unavailable>{`Please ask ${companyNameOf(document)} for the account number.`}</Unavailable>
      ) : (
        <PanelTitle>Secure bank transfer</PanelTitle>
      )}
      <dl className="mt-2 divide-y print:flex print:flex-wrap print:gap-x-8 print:divide-y-0">
        <div className="py-2">
          <dt className="text-sm text-ink-3">Amount</dt>
          <dd className="text-lg font-semibold tabular-nums">{priceOf(invoice, 'bank')}</dd>
        </div>
        {bank_name !== null && (
          <CopyRow label="Bank name" copied={{ id: 'bank-name', name: 'Bank name', text: bank_name }} onCopy={onCopy} />
        )}
        {bank_account_number !== null && <CopyRow label="Account number" copied={accountOf(bank_account_number)} onCopy={onCopy} />}
        <ReferenceRow reference={document.reference} onCopy={onCopy} />
      </dl>
      <p className="mt-1 text-sm text-ink-2">Please include the payment reference when making your transfer</p>
    </>
  );
}

function ReferenceRow({ reference, onCopy }: { reference: string; onCopy: BankPanelProps['onCopy'] }) {
  const copied = { id: 'payment-reference', name: 'Payment reference', text: reference };
  return <CopyRow label="Payment Reference" copied={copied} onCopy={onCopy} />;
}

interface ActionBarProps {
  invoice: PublicInvoice;
  method: PaymentMethod;
  onCopy: (copied: Copied) => void;
  message: CopyMessage | null;
}

const ACTION = 'py-3 text-lg! font-semibold! tabular-nums';

function ActionBar({ invoice, method, onCopy, message }: ActionBarProps) {
  const { payment_link, bank_account_number } = invoice;
  return (
    <div
      data-docked="bottom"
      className="order-last -mx-[16px] mt-6 border-t bg-surface px-[16px] pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] tall:sticky tall:bottom-0 tall:z-20 lg:static lg:mx-0 lg:mt-3 lg:border-0 lg:bg-transparent lg:p-0 print:hidden"
    >
      {method === 'online' && payment_link !== null && <PayLink href={payment_link} invoice={invoice} />}
      {method === 'bank' && bank_account_number !== null && (
        <Button tone="primary" wide className={ACTION} onClick={() => onCopy(accountOf(bank_account_number))}>
          <Copy aria-hidden="true" className="size-5!" />
          Copy account number
        </Button>
      )}
      <CopyStatus message={message} isAboveBar />
    </div>
  );
}

/** Nothing tells this page that PayPal was paid: it says so, before somebody pays twice. */
function PayLink({ href, invoice }: { href: string; invoice: PublicInvoice }) {
  const [isOpened, setOpened] = useState(false);
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        onClick={() => setOpened(true)}
        className={classes(buttonStyle('primary', true), ACTION)}
      >
        Pay {priceOf(invoice, 'online')}
        <ExternalLink aria-hidden="true" className="size-5!" />
      </a>
      <p className="mt-2 text-center text-sm text-ink-2">
        <span>Secure online payment</span>. <span>Opens PayPal in a new tab.</span>
      </p>
      <p role="status" className="text-center text-sm font-medium text-ink-2">
        {isOpened && `Your payment shows here once ${companyNameOf(invoice.document)} has confirmed it.`}
      </p>
    </>
  );
}

interface ContactCompanyProps extends BankPanelProps {
  message: CopyMessage | null;
}

/** Neither way is set up: a choice between nothing and nothing would only mislead. */
function ContactCompany({ invoice: { document }, onCopy, message }: ContactCompanyProps) {
  return (
    <section aria-labelledby="payment" className={classes(CARD, 'mt-6 lg:mt-0')}>
      <h2 id="payment" className="text-lg font-semibold">
        How to pay
      </h2>
      <p className="mt-1 text-base text-ink-2">{`Online payment and bank details are not available. Please contact ${companyNameOf(document)} to arrange payment.`}</p>
      <dl className="mt-1">
        <ReferenceRow reference={document.reference} onCopy={onCopy} />
      </dl>
      <CopyStatus message={message} />
    </section>
  );
}
