import type { Quote, QuoteRow } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-text';
import { taxLabel } from '@callout/domain/tax/tax';
import { formatDate } from '@callout/domain/time/date-format';
import { Banknote, CalendarClock, FilePen, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { companyTimeZone } from '../../lib/time-zone.ts';
import { Card } from '../../ui/card.tsx';
import { useProfile } from '../company/company.api.ts';
import { CustomerFact, CustomerLink, Fact } from '../jobs/fact.tsx';
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
  const currency = useProfile()?.currency;
  const { valid_until: day, created_at: created, total_amount: total } = quote;
  return (
    <Card>
      <dl className="divide-y lg:grid lg:grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] lg:gap-x-5 lg:divide-y-0 lg:p-5">
        {customer}
        <Fact icon={Banknote} label="Total" headline={<span className="tabular-nums">{formatMoney(total, currency)}</span>}>
          {taxLabel(true)}
        </Fact>
        <Fact icon={CalendarClock} label="Valid until" headline={<Worded words={day ? 'Valid until' : ''} value={validUntil(day)} />} />
        <Fact icon={FilePen} label="Created" headline={<Worded words="Created" value={formatDate(created, companyTimeZone())} />} />
      </dl>
      {children}
    </Card>
  );
}

/** A phone shows an icon instead of the label, which says too little beside a date. */
function Worded({ words, value }: { words: string; value: string }) {
  return (
    <span className="tabular-nums">
      {words && <span aria-hidden="true" className="lg:hidden">{`${words} `}</span>}
      {value}
    </span>
  );
}
