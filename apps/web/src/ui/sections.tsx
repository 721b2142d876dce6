import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { classes } from './classes.ts';
import { TABLET_UP, useMediaQuery } from './use-media-query.ts';

export interface Section<Id extends string> {
  id: Id;
  label: string;
  content: ReactNode;
}

interface SectionsProps<Id extends string> {
  /** Names the set of tabs for people who listen. */
  label: string;
  sections: readonly Section<Id>[];
  active: Id;
  onChange: (id: Id) => void;
  /** For few sections with short names, of which each is a screen of its own. */
  tabsOnPhones?: boolean;
}

const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Tabs from 768 px up, accordions below. Both share the same panels, and a panel once opened stays mounted:
 * turning a tablet or looking at another tab never loses what was typed.
 */
export function Sections<Id extends string>({ label, sections, active, onChange, tabsOnPhones = false }: SectionsProps<Id>) {
  const base = useId();
  const asTabs = useMediaQuery(TABLET_UP) || tabsOnPhones;
  const [opened, setOpened] = useState<ReadonlySet<Id>>(() => new Set([active]));
  const [folded, setFolded] = useState(false);
  if (!opened.has(active)) setOpened(new Set(opened).add(active));

  const choose = (id: Id) => {
    setFolded(!asTabs && id === active && !folded);
    if (id !== active) onChange(id);
  };

  return (
    <div>
      {asTabs && <TabList base={base} label={label} sections={sections} active={active} onChange={choose} />}
      <div className={asTabs ? undefined : 'space-y-3'}>
        {sections.map((section) => {
          const open = section.id === active && (asTabs || !folded);
          const names = asTabs ? { role: 'tabpanel', tabIndex: 0 } : { role: 'region' };
          return (
            <div key={section.id} className={asTabs ? undefined : 'overflow-clip rounded-card bg-surface shadow-card'}>
              {!asTabs && <AccordionHeading base={base} section={section} open={open} onPress={() => choose(section.id)} />}
              <div
                {...names}
                id={`${base}-${section.id}`}
                aria-labelledby={`${base}-${section.id}-head`}
                hidden={!open}
                className={asTabs ? 'pt-4 -outline-offset-2 md:pt-5' : 'border-t p-4'}
              >
                {(open || opened.has(section.id)) && section.content}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface HeadingProps<Id extends string> {
  base: string;
  section: Section<Id>;
  open: boolean;
  onPress: () => void;
}

function AccordionHeading<Id extends string>({ base, section, open, onPress }: HeadingProps<Id>) {
  return (
    <h2>
      <button
        type="button"
        id={`${base}-${section.id}-head`}
        aria-expanded={open}
        aria-controls={`${base}-${section.id}`}
        onClick={onPress}
        className="flex h-12 w-full items-center justify-between px-4 text-left text-lg font-semibold -outline-offset-2"
      >
        {section.label}
        <ChevronDown aria-hidden="true" className={classes('size-5 text-ink-3 transition-transform duration-160', open && 'rotate-180')} />
      </button>
    </h2>
  );
}

function TabList<Id extends string>({ base, label, sections, active, onChange }: SectionsProps<Id> & { base: string }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a narrow screen a link may open a tab that lies beyond the edge.
    const tab = document.getElementById(`${base}-${active}-head`);
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [base, active]);
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const next = step(
      sections.findIndex((section) => section.id === active),
      sections.length,
    );
    const target = sections[next];
    if (!target) return;
    onChange(target.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      tabIndex={-1}
      aria-label={label}
      data-toast-below=""
      onKeyDown={move}
      className="flex overflow-x-auto border-b md:gap-1"
    >
      {sections.map((section) => (
        <button
          key={section.id}
          type="button"
          role="tab"
          id={`${base}-${section.id}-head`}
          aria-selected={section.id === active}
          aria-controls={`${base}-${section.id}`}
          tabIndex={section.id === active ? 0 : -1}
          onClick={() => onChange(section.id)}
          className="h-11 flex-[1_0_auto] rounded-t-control border-b-2 border-transparent px-1 font-medium whitespace-nowrap md:flex-none md:px-3.5 text-ink-2 -outline-offset-2 hover:text-ink aria-selected:border-accent aria-selected:text-accent-ink"
        >
          {section.label}
        </button>
      ))}
    </div>
  );
}
