import { DEPOSIT_LABEL, type DocumentSection, type QuoteDocument } from '@callout/domain/quotes/quote-document';
import { AmountRow } from '../../../public-pages/document-lines.tsx';
import { classNames } from '../../../ui/class-names.ts';

interface QuoteTotalsProps {
  document: QuoteDocument;
  isAccepted: boolean;
}

/** Shows the totals of the selected sections. A rounding difference gets its own row, so that the column adds up. */
export function QuoteTotals({ document: { sections, summary, deposit }, isAccepted }: QuoteTotalsProps) {
  return (
    <section
      aria-labelledby="summary"
      className="mt-3 break-inside-avoid rounded-card bg-surface px-[16px] py-4 shadow-card lg:mt-0 print:mt-3 print:border print:shadow-none"
    >
      <h2 id="summary" className="text-lg font-semibold">
        Your Quote Summary
      </h2>
      <table className="mt-2 w-full text-base">
        <tbody>
          {sections.map((section) => (
            <SectionTotalRow key={section.id} section={section} isAccepted={isAccepted} />
          ))}
          {summary.rounding !== null && <AmountRow label="Rounding" amount={summary.rounding} className="text-ink-2" />}
        </tbody>
        <tbody className="border-t">
          <AmountRow label="Subtotal" amount={summary.subtotal} className="pt-2.5 text-ink-2" />
          <AmountRow label={summary.tax_label} amount={summary.tax} className="text-ink-2" />
          <AmountRow
            label={isAccepted ? 'ACCEPTED TOTAL:' : 'TOTAL PRICE:'}
            amount={summary.total}
            className="pt-2 text-lg font-semibold"
          />
          {deposit && <AmountRow label={DEPOSIT_LABEL} amount={deposit} className="text-ink-2" />}
        </tbody>
      </table>
    </section>
  );
}

function SectionTotalRow({ section: { name, choice, total }, isAccepted }: { section: DocumentSection; isAccepted: boolean }) {
  const isNotSelected = choice === 'not-selected';
  return (
    <tr className={classNames('align-baseline', isNotSelected && 'text-ink-3')}>
      <th scope="row" className="py-1 pr-3 text-left font-normal [overflow-wrap:anywhere]">
        {name}
        {!isNotSelected && <span className="ml-2 text-sm whitespace-nowrap text-ink-3">{getChoiceLabel(choice, isAccepted)}</span>}
      </th>
      <td className="py-1 text-right tabular-nums">{isNotSelected ? 'Not Selected' : total}</td>
    </tr>
  );
}

function getChoiceLabel(choice: DocumentSection['choice'], isAccepted: boolean): string {
  if (choice === 'required') return 'Required';
  return isAccepted ? 'Accepted' : 'Selected';
}
