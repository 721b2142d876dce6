import type { Quote, QuoteSection } from '@callout/contract/quotes';
import { calculateDeposit } from '@callout/domain/invoices/payment-request';
import { formatMoney } from '@callout/domain/money/money-format';
import { calculateQuoteTotals } from '@callout/domain/quotes/quote-price';
import { EyeOff } from 'lucide-react';
import {
  FIGURE_CLASSES,
  LineListItem,
  LineTableHead,
  LineTableRow,
  ListTotals,
  TableTotals,
  type TotalRow,
} from '../../lib/priced-lines.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { StatusPill } from '../../ui/status-pill.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';

export function QuoteSections({ quote }: { quote: Quote }) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  return (
    <section aria-labelledby="quote-items">
      <Card>
        <h2 id="quote-items" className="px-4 pt-4 pb-2 text-lg font-semibold lg:px-5">
          Quote Items
        </h2>
        {isDesktop ? <SectionsTable quote={quote} /> : <SectionsList quote={quote} />}
      </Card>
    </section>
  );
}

interface SectionProps {
  quote: Quote;
  section: QuoteSection;
}

/** Shows Required or Optional or, after acceptance, whether the section was accepted. A single unchanged section has no pill. */
function SectionPill({ quote: { sections, acceptance }, section: { id, always_required } }: SectionProps) {
  if (acceptance?.changed_section_ids.includes(id)) return <StatusPill text="Changed since it was accepted" tone="warn" />;
  if (sections.length < 2) return null;
  if (!acceptance) return <StatusPill text={always_required ? 'Required' : 'Optional'} tone={always_required ? 'accent' : 'neutral'} />;
  const isAccepted = acceptance.section_ids.includes(id);
  return <StatusPill text={isAccepted ? 'Accepted' : 'Not accepted'} tone={isAccepted ? 'ok' : 'neutral'} />;
}

function SectionName({ quote, section }: SectionProps) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold [overflow-wrap:anywhere]">{section.name}</span>
        <SectionPill quote={quote} section={section} />
      </span>
      {section.description && (
        <span className="mt-0.5 block text-sm font-normal whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">
          {section.description}
        </span>
      )}
    </>
  );
}

const NO_ITEMS_MESSAGE = 'No items in this section';

/** Builds the total rows. The rounding row makes the section totals add up to the total. Subtotal and tax add up without it. */
function buildTotalRows(quote: Quote): TotalRow[] {
  const { sections, tax_rate: rate, acceptance } = quote;
  const { subtotal, tax_amount, total_amount, rounding } = calculateQuoteTotals(sections, rate);
  const deposit = calculateDeposit(quote, acceptance?.total_amount ?? total_amount);
  const share = quote.deposit_percentage === null ? '' : `, ${Number(quote.deposit_percentage)}%`;
  return [
    ...(rounding === '0.00' ? [] : [{ label: 'Rounding', amount: rounding }]),
    { label: 'Subtotal', amount: subtotal },
    { label: `GST ${Number(rate)}%`, amount: tax_amount },
    { label: 'Total', amount: total_amount, isTotal: true },
    ...(acceptance && acceptance.total_amount !== total_amount
      ? [{ label: 'Accepted', amount: acceptance.total_amount, isTotal: true }]
      : []),
    ...(deposit ? [{ label: `Deposit on acceptance${share}`, amount: deposit }] : []),
  ];
}

function SectionsTable({ quote }: { quote: Quote }) {
  const { currency } = quote;
  return (
    <table aria-label="Quote items" className="w-full text-base">
      <LineTableHead />
      {quote.sections.map((section) => (
        <tbody key={section.id}>
          <tr className="border-b bg-sunken/60">
            <th scope="rowgroup" colSpan={4} className="py-2.5 pr-3 pl-5 text-left">
              <SectionName quote={quote} section={section} />
            </th>
            <td className={classNames('py-3 pr-5 align-top font-semibold', FIGURE_CLASSES)}>
              {formatMoney(section.total_amount, currency)}
            </td>
          </tr>
          {section.items.length === 0 && (
            <tr className="border-b">
              <td colSpan={5} className="px-5 py-3 text-ink-2">
                {NO_ITEMS_MESSAGE}
              </td>
            </tr>
          )}
          {section.items.map((item) => (
            <LineTableRow key={item.id} line={item} />
          ))}
        </tbody>
      ))}
      <TableTotals rows={buildTotalRows(quote)} currency={currency} />
    </table>
  );
}

function SectionsList({ quote }: { quote: Quote }) {
  const { currency } = quote;
  return (
    <>
      {quote.sections.map((section) => (
        <section key={section.id} aria-label={section.name}>
          <div className="flex flex-wrap items-start justify-between gap-x-4 border-y bg-sunken/60 px-4 py-2.5 text-base">
            <h3 className="min-w-0 flex-1 basis-32 font-normal">
              <SectionName quote={quote} section={section} />
            </h3>
            <span className={classNames('ml-auto font-semibold', FIGURE_CLASSES)}>{formatMoney(section.total_amount, currency)}</span>
          </div>
          {section.items.length === 0 && <p className="px-4 py-3 text-base text-ink-2">{NO_ITEMS_MESSAGE}</p>}
          <ul className="divide-y">
            {section.items.map((item) => (
              <LineListItem key={item.id} line={item} />
            ))}
          </ul>
        </section>
      ))}
      <ListTotals rows={buildTotalRows(quote)} currency={currency} className="border-t" />
    </>
  );
}

/** Renders nothing if the server didn't send the profit, which not every role may see, or if it isn't the profit of what was accepted. */
export function EstimatedProfitCard({ quote: { estimated_profit: profit, currency, acceptance } }: { quote: Quote }) {
  if (profit === undefined || (acceptance?.changed_section_ids.length ?? 0) > 0) return null;
  return (
    <Card className="p-4 lg:p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-lg font-semibold">
        <h2>Estimated profit</h2>
        <span className={classNames('ml-auto', FIGURE_CLASSES)}>{formatMoney(profit, currency)}</span>
      </div>
      <p className="mt-1.5 flex items-center gap-2 text-sm text-ink-3">
        <EyeOff aria-hidden="true" className="size-4 shrink-0" />
        Never shown to the customer
      </p>
    </Card>
  );
}
