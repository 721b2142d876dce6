import type { DocumentSection, QuoteDocument } from '@callout/domain/quotes/quote-document';
import { countText } from '@callout/domain/text/count-text';
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Lock from 'lucide-react/icons/lock';
import { useId, useState } from 'react';
import { LineTable } from '../../../public-pages/document-lines.tsx';
import { classes } from '../../../ui/classes.ts';

const DESK = '(min-width: 64rem)';

interface QuoteOptionsProps extends Pick<OptionCardProps, 'isAccepted' | 'onToggle'> {
  document: QuoteDocument;
}

/** The sections of a quote, each with its items; those that are optional are switched by their whole card while it can be answered. */
export function QuoteOptions({ document, isAccepted, onToggle }: QuoteOptionsProps) {
  return (
    <section aria-labelledby="options">
      <h2 id="options" className="text-lg font-semibold">
        Quote Options
      </h2>
      {onToggle && <p className="mt-0.5 text-base text-ink-2 print:hidden">{choiceHint(document.sections)}</p>}
      <ul className="mt-3 space-y-3">
        {document.sections.map((section) => (
          <OptionCard key={section.id} section={section} isAccepted={isAccepted} onToggle={onToggle} />
        ))}
      </ul>
    </section>
  );
}

function choiceHint(sections: readonly DocumentSection[]): string {
  const isAny = (isRequired: boolean) => sections.some(({ choice }) => (choice === 'required') === isRequired);
  const required = isAny(true) ? 'Required sections are included automatically. ' : '';
  if (!isAny(false)) return required.trim();
  return `${required}Choose at least one optional section. The total updates as you choose.`;
}

interface OptionCardProps {
  section: DocumentSection;
  isAccepted: boolean;
  onToggle: ((id: string) => void) | undefined;
}

function OptionCard({ section, isAccepted, onToggle }: OptionCardProps) {
  const { id, name, description, choice, items, total } = section;
  const ids = useId();
  const [isOpen, setOpen] = useState(() => window.matchMedia(DESK).matches);
  const isSelected = choice === 'selected';
  const canSwitch = onToggle !== undefined && choice !== 'required';
  return (
    <li
      data-choice={choice}
      className={classes(
        'relative rounded-card bg-surface px-[16px] pt-4 transition-shadow duration-120 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent print:border',
        isSelected ? 'ring-2 ring-accent print:ring-0' : 'shadow-card print:shadow-none',
      )}
    >
      <div className="flex gap-3 break-after-avoid">
        <span className="relative flex size-6 shrink-0 items-center justify-center">
          {canSwitch ? (
            <input
              id={`${ids}-switch`}
              type="checkbox"
              checked={isSelected}
              onChange={() => onToggle(id)}
              aria-describedby={`${ids}-total`}
              className="relative z-10 size-6 cursor-pointer appearance-none rounded-md border-2 border-field outline-none checked:border-accent checked:bg-accent forced-colors:appearance-auto"
            />
          ) : (
            <ChoiceMark choice={choice} />
          )}
          {canSwitch && isSelected && (
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
              {canSwitch ? (
                <label htmlFor={`${ids}-switch`} className="cursor-pointer after:absolute after:inset-0 after:rounded-card">
                  {name}
                </label>
              ) : (
                name
              )}
            </h3>
            <p
              id={`${ids}-total`}
              className={classes('ml-auto text-lg font-semibold whitespace-nowrap tabular-nums', isLeftOut(choice) && 'text-ink-2')}
            >
              {total}
            </p>
          </div>
          {description !== null && description !== '' && <p className="text-base whitespace-pre-line text-ink-2">{description}</p>}
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 pl-9 break-after-avoid">
        <ChoiceWord choice={choice} isAccepted={isAccepted} />
        {/* Above the label that covers the card. */}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${ids}-items`}
          aria-label={`${countText(items.length, 'item')} of ${name}`}
          onClick={() => setOpen(!isOpen)}
          className="relative z-10 -mr-2 ml-auto inline-flex min-h-12 items-center gap-1.5 rounded-control px-2 text-base text-ink-2 tabular-nums hover:text-ink print:hidden"
        >
          {countText(items.length, 'item')}
          <ChevronDown aria-hidden="true" className={classes('size-4.5 transition-transform duration-120', isOpen && 'rotate-180')} />
        </button>
      </div>
      <div id={`${ids}-items`} className={classes('border-t pt-2 pb-4', !isOpen && 'hidden print:block')}>
        <LineTable caption={`Items of ${name}`} lines={items} totals={section} />
      </div>
    </li>
  );
}

const isLeftOut = (choice: DocumentSection['choice']) => choice === 'not-selected';

/** Where nothing can be switched: a lock, what was accepted, or an empty box. */
function ChoiceMark({ choice }: Pick<DocumentSection, 'choice'>) {
  if (isLeftOut(choice)) return <span aria-hidden="true" className="size-6 rounded-md border-2 border-line" />;
  const Icon = choice === 'required' ? Lock : Check;
  const tone = choice === 'required' ? 'bg-neutral-soft text-neutral-ink' : 'bg-accent text-on-accent print:text-black';
  return (
    <span aria-hidden="true" className={classes('flex size-6 items-center justify-center rounded-md', tone)}>
      <Icon className="size-4" strokeWidth={choice === 'required' ? 2 : 3} />
    </span>
  );
}

const WORDS = { required: 'Required', selected: 'Selected', 'not-selected': 'Optional' } as const;
const WORD_LOOKS = {
  required: 'bg-neutral-soft text-neutral-ink',
  selected: 'bg-accent-soft text-accent-ink',
  'not-selected': 'ring-1 ring-field ring-inset text-ink-2',
} as const;

function ChoiceWord({ choice, isAccepted }: { choice: DocumentSection['choice']; isAccepted: boolean }) {
  return (
    <span
      className={classes(
        'my-1.5 inline-flex h-6 items-center rounded-full px-2.5 text-xs font-medium whitespace-nowrap',
        WORD_LOOKS[choice],
      )}
    >
      {isAccepted && isLeftOut(choice) ? 'Not Selected' : WORDS[choice]}
    </span>
  );
}

/** A quote without anything to choose. */
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
