import type { DocumentSection, QuoteDocument } from '@callout/domain/quotes/quote-document';
import { pluralize } from '@callout/domain/text/count-format';
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Lock from 'lucide-react/icons/lock';
import { useId, useState } from 'react';
import { LineTable } from '../../../public-pages/document-lines.tsx';
import { classNames } from '../../../ui/class-names.ts';

const DESKTOP_MEDIA_QUERY = '(min-width: 64rem)';

interface QuoteOptionsProps extends Pick<OptionCardProps, 'isAccepted' | 'onToggle'> {
  document: QuoteDocument;
}

/** Lists the sections with their items. While the quote is open, clicking anywhere on an optional section toggles it. */
export function QuoteOptions({ document, isAccepted, onToggle }: QuoteOptionsProps) {
  return (
    <section aria-labelledby="options">
      <h2 id="options" className="text-lg font-semibold">
        Quote Options
      </h2>
      {onToggle && <p className="mt-0.5 text-base text-ink-2 print:hidden">{formatChoiceHint(document.sections)}</p>}
      <ul className="mt-3 space-y-3">
        {document.sections.map((section) => (
          <OptionCard
            key={section.id}
            section={section}
            hasTax={document.has_section_tax ?? true}
            isAccepted={isAccepted}
            onToggle={onToggle}
          />
        ))}
      </ul>
    </section>
  );
}

function formatChoiceHint(sections: readonly DocumentSection[]): string {
  const hasAny = (isRequired: boolean) => sections.some(({ choice }) => (choice === 'required') === isRequired);
  const requiredHint = hasAny(true) ? 'Required sections are included automatically. ' : '';
  if (!hasAny(false)) return requiredHint.trim();
  return `${requiredHint}Choose at least one optional section. The total updates as you choose.`;
}

interface OptionCardProps {
  section: DocumentSection;
  hasTax: boolean;
  isAccepted: boolean;
  onToggle: ((id: string) => void) | undefined;
}

function OptionCard({ section, hasTax, isAccepted, onToggle }: OptionCardProps) {
  const { id, name, description, choice, items, total } = section;
  const baseId = useId();
  const [isOpen, setOpen] = useState(() => window.matchMedia(DESKTOP_MEDIA_QUERY).matches);
  const isSelected = choice === 'selected';
  const canToggle = onToggle !== undefined && choice !== 'required';
  return (
    <li
      data-choice={choice}
      className={classNames(
        'relative rounded-card bg-surface px-[16px] pt-4 transition-shadow duration-120 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent print:border',
        isSelected ? 'ring-2 ring-accent print:ring-0' : 'shadow-card print:shadow-none',
      )}
    >
      <div className="flex gap-3 break-after-avoid">
        <span className="relative flex size-6 shrink-0 items-center justify-center">
          {canToggle ? (
            <input
              id={`${baseId}-switch`}
              type="checkbox"
              checked={isSelected}
              onChange={() => onToggle(id)}
              aria-describedby={`${baseId}-total`}
              className="relative z-10 size-6 cursor-pointer appearance-none rounded-md border-2 border-field outline-none checked:border-accent checked:bg-accent forced-colors:appearance-auto"
            />
          ) : (
            <ChoiceIcon choice={choice} />
          )}
          {canToggle && isSelected && (
            <Check
              aria-hidden="true"
              strokeWidth={3}
              className="pointer-events-none absolute z-10 size-4 text-on-accent forced-colors:hidden print:text-black"
            />
          )}
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h3 className="min-w-0 flex-1 basis-28 text-lg font-semibold [overflow-wrap:anywhere]">
              {canToggle ? (
                <label htmlFor={`${baseId}-switch`} className="cursor-pointer after:absolute after:inset-0 after:rounded-card">
                  {name}
                </label>
              ) : (
                name
              )}
            </h3>
            <p
              id={`${baseId}-total`}
              className={classNames('ml-auto text-lg font-semibold whitespace-nowrap tabular-nums', isNotSelected(choice) && 'text-ink-2')}
            >
              {total}
            </p>
          </div>
          {description !== null && description !== '' && <p className="text-base whitespace-pre-line text-ink-2">{description}</p>}
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 pl-9 break-after-avoid">
        <ChoiceBadge choice={choice} isAccepted={isAccepted} />
        {/* The z-index lifts the button above the label, which covers the whole card. */}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${baseId}-items`}
          aria-label={`${pluralize(items.length, 'item')} of ${name}`}
          onClick={() => setOpen(!isOpen)}
          className="relative z-10 -mr-2 ml-auto inline-flex min-h-12 items-center gap-1.5 rounded-control px-2 text-base text-ink-2 tabular-nums hover:text-ink print:hidden"
        >
          {pluralize(items.length, 'item')}
          <ChevronDown aria-hidden="true" className={classNames('size-4.5 transition-transform duration-120', isOpen && 'rotate-180')} />
        </button>
      </div>
      <div id={`${baseId}-items`} className={classNames('border-t pt-2 pb-4', !isOpen && 'hidden print:block')}>
        <LineTable caption={`Items in ${name}`} lines={items} totals={section} hasTax={hasTax} />
      </div>
    </li>
  );
}

const isNotSelected = (choice: DocumentSection['choice']) => choice === 'not-selected';

/** Rendered instead of a checkbox for a section that can't be toggled. */
function ChoiceIcon({ choice }: Pick<DocumentSection, 'choice'>) {
  if (isNotSelected(choice)) return <span aria-hidden="true" className="size-6 rounded-md border-2 border-line" />;
  const Icon = choice === 'required' ? Lock : Check;
  const tone = choice === 'required' ? 'bg-neutral-soft text-neutral-ink' : 'bg-accent text-on-accent print:text-black';
  return (
    <span aria-hidden="true" className={classNames('flex size-6 items-center justify-center rounded-md', tone)}>
      <Icon className="size-4" strokeWidth={choice === 'required' ? 2 : 3} />
    </span>
  );
}

const CHOICE_LABELS = { required: 'Required', selected: 'Selected', 'not-selected': 'Optional' } as const;
const CHOICE_CLASSES = {
  required: 'bg-neutral-soft text-neutral-ink',
  selected: 'bg-accent-soft text-accent-ink',
  'not-selected': 'ring-1 ring-field ring-inset text-ink-2',
} as const;

function ChoiceBadge({ choice, isAccepted }: { choice: DocumentSection['choice']; isAccepted: boolean }) {
  return (
    <span
      className={classNames(
        'my-1.5 inline-flex h-6 items-center rounded-full px-2.5 text-xs font-medium whitespace-nowrap',
        CHOICE_CLASSES[choice],
      )}
    >
      {isAccepted && isNotSelected(choice) ? 'Not Selected' : CHOICE_LABELS[choice]}
    </span>
  );
}

/** Lists the items of a quote that has a single section. */
export function QuoteItems({ document: { sections, summary, deposit } }: { document: QuoteDocument }) {
  const [section] = sections;
  return (
    <section aria-labelledby="items">
      <h2 id="items" className="text-lg font-semibold">
        Quote Items
      </h2>
      <div className="mt-3 rounded-card bg-surface px-[16px] py-4 shadow-card print:p-0 print:shadow-none">
        {section?.description && <p className="mb-2 text-base whitespace-pre-line text-ink-2">{section.description}</p>}
        <LineTable caption="Quote Items" lines={section?.items ?? []} totals={summary} deposit={deposit ?? null} />
      </div>
    </section>
  );
}
