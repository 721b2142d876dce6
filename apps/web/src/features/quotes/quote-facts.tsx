import type { Quote, QuoteRow } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-format';
import { getTaxInclusionLabel } from '@callout/domain/tax/tax';
import { Banknote, CalendarClock, FilePen, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { Card } from '../../ui/card.tsx';
import { SummaryField } from '../../ui/summary-field.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { CustomerFact, CustomerLink } from '../customers/customer-fact.tsx';
import { formatValidUntil, NO_CUSTOMER_LABEL } from './quote-labels.tsx';

export function QuoteFacts({ quote }: { quote: Quote }) {
  return (
    <FactsCard quote={quote} customer={<CustomerFact customer={quote.customer} emptyLabel={NO_CUSTOMER_LABEL} />}>
      {quote.description && (
        <p className="border-t p-4 text-base whitespace-pre-line text-ink-2 [overflow-wrap:anywhere] lg:px-5">{quote.description}</p>
      )}
    </FactsCard>
  );
}

/** Shows the facts known from a cached list row while the full quote loads. */
export function CachedQuoteFacts({ quote }: { quote: QuoteRow }) {
  const name = quote.customer ? <CustomerLink customer={quote.customer} /> : NO_CUSTOMER_LABEL;
  return <FactsCard quote={quote} customer={<SummaryField icon={UserRound} label="Customer" headline={name} />} />;
}

interface FactsCardProps {
  quote: Quote | QuoteRow;
  customer: ReactNode;
  children?: ReactNode;
}

function FactsCard({ quote, customer, children }: FactsCardProps) {
  const { formatDisplayDate } = useDisplayFormat();
  const isDesktop = useMediaQuery(DESKTOP_UP);
  const { valid_until: day, created_at } = quote;
  const created = formatDisplayDate(created_at);
  return (
    <Card>
      <dl className="divide-y lg:grid lg:grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] lg:gap-x-5 lg:divide-y-0 lg:p-5">
        {customer}
        <TotalFact quote={quote} />
        <SummaryField
          icon={CalendarClock}
          label={isDesktop ? 'Valid until' : 'Dates'}
          headline={isDesktop || !day ? formatValidUntil(day) : `Valid until ${formatValidUntil(day)}`}
        >
          {!isDesktop && `Created ${created}`}
        </SummaryField>
        {isDesktop && <SummaryField icon={FilePen} label="Created" headline={created} />}
      </dl>
      {children}
    </Card>
  );
}

/** Shows the accepted total or, before acceptance, the total of all sections. */
function TotalFact({ quote }: { quote: Quote | QuoteRow }) {
  const { currency } = quote;
  const acceptance = 'acceptance' in quote ? quote.acceptance : null;
  const hasOptions = 'sections' in quote && quote.sections.length > 1 && quote.sections.some(({ always_required }) => !always_required);
  const suffix = acceptance ? ', accepted' : hasOptions ? ', with all options' : '';
  const amount = acceptance?.total_amount ?? quote.total_amount;
  return (
    <SummaryField icon={Banknote} label="Total" headline={<span className="tabular-nums">{formatMoney(amount, currency)}</span>}>
      {`${getTaxInclusionLabel(true)}${suffix}`}
    </SummaryField>
  );
}
