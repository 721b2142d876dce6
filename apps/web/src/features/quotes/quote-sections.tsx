import type { Quote, QuoteItem, QuoteSection } from '@callout/contract/quotes';
import { depositOf } from '@callout/domain/invoices/payment-request';
import { formatAmount, formatMoney } from '@callout/domain/money/money-text';
import { quoteTotals } from '@callout/domain/quotes/quote-price';
import { taxLabel } from '@callout/domain/tax/tax';
import { EyeOff } from 'lucide-react';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { StatusPill } from '../../ui/status-pill.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useProfile } from '../company/company.api.ts';

/** What is offered, section by section, and what it comes to. */
export function QuoteSections({ quote }: { quote: Quote }) {
  const isDesk = useMediaQuery(DESK_UP);
  return (
    <section aria-labelledby="quote-items">
      <Card>
        <h2 id="quote-items" className="px-4 pt-4 pb-2 text-lg font-semibold lg:px-5">
          Quote Items
        </h2>
        {isDesk ? <SectionsTable quote={quote} /> : <SectionsList quote={quote} />}
      </Card>
    </section>
  );
}

interface SectionProps {
  quote: Quote;
  section: QuoteSection;
}

/** Whether a customer has to take it, or has taken it. A section alone needs no such word. */
function SectionPill({ quote: { sections, acceptance }, section: { id, always_required } }: SectionProps) {
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

const NO_ITEMS = 'No items in this section';

interface TotalRow {
  label: string;
  amount: string;
  isTotal?: boolean;
}

/** The rows below the lines. Rounding belongs to the totals of the sections above it: subtotal and tax are the total without it. */
function totalRows(quote: Quote): TotalRow[] {
  const { sections, tax_rate: rate, acceptance } = quote;
  const { subtotal, tax_amount, total_amount, rounding } = quoteTotals(sections, rate);
  const deposit = depositOf(quote, acceptance?.total_amount ?? total_amount);
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

const HEAD = 'py-2 text-sm font-medium text-ink-3';
const FIGURE = 'text-right tabular-nums whitespace-nowrap';

/** Figures stand right-aligned on one edge from the first line to the total; only totals carry the symbol. */
function SectionsTable({ quote }: { quote: Quote }) {
  const currency = useProfile()?.currency;
  return (
    <table aria-label="Quote items" className="w-full text-base">
      <thead>
        <tr className="border-b text-left">
          <th scope="col" className={classes(HEAD, 'pl-5')}>
            Item
          </th>
          <th scope="col" className={classes(HEAD, 'w-20 text-right')}>
            Quantity
          </th>
          <th scope="col" className={classes(HEAD, 'pl-4 text-right whitespace-nowrap')}>
            Unit price
          </th>
          <th scope="col" className={classes(HEAD, 'w-19 pl-3')}>
            GST
          </th>
          <th scope="col" className={classes(HEAD, 'w-28 pr-5 text-right')}>
            Total
          </th>
        </tr>
      </thead>
      {quote.sections.map((section) => (
        <tbody key={section.id}>
          <tr className="border-b bg-sunken/60">
            <th scope="rowgroup" colSpan={4} className="py-2.5 pr-3 pl-5 text-left">
              <SectionName quote={quote} section={section} />
            </th>
            <td className={classes('py-3 pr-5 align-top font-semibold', FIGURE)}>{formatMoney(section.total_amount, currency)}</td>
          </tr>
          {section.items.length === 0 && (
            <tr className="border-b">
              <td colSpan={5} className="px-5 py-3 text-ink-2">
                {NO_ITEMS}
              </td>
            </tr>
          )}
          {section.items.map((item) => (
            <tr key={item.id} className="border-b align-top *:py-2.5">
              <td className="pr-3 pl-5">
                <ItemName item={item} />
              </td>
              <td className={FIGURE}>{item.quantity}</td>
              <td className={classes('pl-4', FIGURE)}>{formatAmount(item.unit_price)}</td>
              <td className="pl-3 text-sm/5 whitespace-nowrap text-ink-3">{taxLabel(item.tax_inclusive)}</td>
              <td className={classes('pr-5', FIGURE)}>{formatAmount(item.total_price)}</td>
            </tr>
          ))}
        </tbody>
      ))}
      <tfoot>
        {totalRows(quote).map(({ label, amount, isTotal }) => (
          <tr key={label} className={classes('first:*:pt-3 last:*:pb-3', isTotal ? 'text-lg font-semibold' : 'text-ink-2')}>
            <th scope="row" colSpan={3} className={classes('py-0.5 text-right', isTotal ? 'font-semibold' : 'font-normal')}>
              {label}
            </th>
            <td colSpan={2} className={classes('py-0.5 pr-5', FIGURE)}>
              {isTotal ? formatMoney(amount, currency) : formatAmount(amount)}
            </td>
          </tr>
        ))}
      </tfoot>
    </table>
  );
}

function ItemName({ item: { name, description, sku, supplier_name: supplier, is_service: isService } }: { item: QuoteItem }) {
  const detail = [sku && `#${sku}`, supplier].filter(Boolean).join(' · ');
  return (
    <>
      <span className="block font-medium [overflow-wrap:anywhere]">{name}</span>
      {description && <span className="block text-sm whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">{description}</span>}
      {(detail || isService) && (
        <span className="flex flex-wrap items-center gap-x-2 text-sm text-ink-3 [overflow-wrap:anywhere]">
          {detail}
          {isService && (
            <span className="-my-0.5">
              <StatusPill text="Service" />
            </span>
          )}
        </span>
      )}
    </>
  );
}

function SectionsList({ quote }: { quote: Quote }) {
  const currency = useProfile()?.currency;
  return (
    <>
      {quote.sections.map((section) => (
        <section key={section.id} aria-label={section.name}>
          <div className="flex items-start justify-between gap-4 border-y bg-sunken/60 px-4 py-2.5 text-base">
            <h3 className="min-w-0 font-normal">
              <SectionName quote={quote} section={section} />
            </h3>
            <span className={classes('font-semibold', FIGURE)}>{formatMoney(section.total_amount, currency)}</span>
          </div>
          {section.items.length === 0 && <p className="px-4 py-3 text-base text-ink-2">{NO_ITEMS}</p>}
          <ul className="divide-y">
            {section.items.map((item) => (
              <li key={item.id} className="flex items-start justify-between gap-4 px-4 py-3 text-base">
                <div className="min-w-0">
                  <ItemName item={item} />
                </div>
                <p className={FIGURE}>
                  {formatAmount(item.total_price)}
                  <span className="block text-sm text-ink-3">{`${item.quantity} × ${formatAmount(item.unit_price)}`}</span>
                  <span className="block text-sm text-ink-3">{taxLabel(item.tax_inclusive)}</span>
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <dl className="space-y-1 border-t px-4 py-3 text-base">
        {totalRows(quote).map(({ label, amount, isTotal }) => (
          <div key={label} className={classes('flex justify-between gap-4', isTotal ? 'text-lg font-semibold' : 'text-ink-2')}>
            <dt>{label}</dt>
            <dd className={FIGURE}>{isTotal ? formatMoney(amount, currency) : formatAmount(amount)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Only for those whom the server tells it. */
export function EstimatedProfit({ quote: { estimated_profit: profit } }: { quote: Quote }) {
  const currency = useProfile()?.currency;
  if (profit === undefined) return null;
  return (
    <Card className="p-4 lg:p-5">
      <div className="flex items-baseline justify-between gap-4 text-lg font-semibold">
        <h2>Estimated profit</h2>
        <span className={FIGURE}>{formatMoney(profit, currency)}</span>
      </div>
      <p className="mt-1.5 flex items-center gap-2 text-sm text-ink-3">
        <EyeOff aria-hidden="true" className="size-4 shrink-0" />
        Never shown to the customer
      </p>
    </Card>
  );
}
