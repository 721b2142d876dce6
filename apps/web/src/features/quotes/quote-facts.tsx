import type { Quote, QuoteRow } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-text';
import { taxLabel } from '@callout/domain/tax/tax';
import { formatDate } from '@callout/domain/time/date-format';
import { Banknote, CalendarClock, FilePen, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { companyTimeZone } from '../../lib/time-zone.ts';
import { Card } from '../../ui/card.tsx';
import { Fact } from '../../ui/fact.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useProfile } from '../company/company.api.ts';
import { CustomerFact, CustomerLink } from '../customers/customer-fact.tsx';
import { QUICK_PRICE, validUntil } from './quote-labels.tsx';

/** For whom, until when, how much. */
export function QuoteFacts({ quote }: { quote: Quote }) {
  return (
    <FactsCard quote={quote} customer={<CustomerFact customer={quote.customer} none={QUICK_PRICE} />}>
      {quote.description && (
        <p className="border-t p-4 text-base whitespace-pre-line text-ink-2 [overflow-wrap:anywhere] lg:px-5">{quote.description}</p>
      )}
    </FactsCard>
  );
}

/** As far as a list knows them. */
export function KnownQuoteFacts({ quote }: { quote: QuoteRow }) {
  const name = quote.customer ? <CustomerLink customer={quote.customer} /> : QUICK_PRICE;
  return <FactsCard quote={quote} customer={<Fact icon={UserRound} label="Customer" headline={name} />} />;
}

interface FactsCardProps {
  quote: Quote | QuoteRow;
  customer: ReactNode;
  children?: ReactNode;
}

function FactsCard({ quote, customer, children }: FactsCardProps) {
  const isDesk = useMediaQuery(DESK_UP);
  const { valid_until: day, created_at } = quote;
  const created = formatDate(created_at, companyTimeZone());
  return (
    <Card>
      <dl className="divide-y lg:grid lg:grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] lg:gap-x-5 lg:divide-y-0 lg:p-5">
        {customer}
        <TotalFact quote={quote} />
        <Fact
          icon={CalendarClock}
          label={isDesk ? 'Valid until' : 'Dates'}
          headline={isDesk || !day ? validUntil(day) : `Valid until ${validUntil(day)}`}
        >
          {!isDesk && `Created ${created}`}
        </Fact>
        {isDesk && <Fact icon={FilePen} label="Created" headline={created} />}
      </dl>
      {children}
    </Card>
  );
}

/** What was accepted, once it was; before that, of everything that is offered. */
function TotalFact({ quote }: { quote: Quote | QuoteRow }) {
  const currency = useProfile()?.currency;
  const acceptance = 'acceptance' in quote ? quote.acceptance : null;
  const hasOptions = 'sections' in quote && quote.sections.length > 1 && quote.sections.some(({ always_required }) => !always_required);
  const what = acceptance ? ', accepted' : hasOptions ? ', with all options' : '';
  const amount = acceptance?.total_amount ?? quote.total_amount;
  return (
    <Fact icon={Banknote} label="Total" headline={<span className="tabular-nums">{formatMoney(amount, currency)}</span>}>
      {`${taxLabel(true)}${what}`}
    </Fact>
  );
}
