import { Accordion } from '@base-ui/react/accordion';
import { Tabs } from '@base-ui/react/tabs';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { TABLET_UP, useMediaQuery } from './use-browser-state.ts';

export interface Section<Id extends string> {
  id: Id;
  label: string;
  content: ReactNode;
}

interface SectionsProps<Id extends string> {
  /** Names the set of tabs for screen readers. */
  label: string;
  sections: readonly Section<Id>[];
  active: Id;
  onChange: (id: Id) => void;
  /** For few sections with short names, of which each is a screen of its own. */
  tabsOnPhones?: boolean;
}

/**
 * Tabs from 768 px up, accordions below. Both share the same panels, and a panel once opened stays mounted:
 * rotating a tablet or looking at another tab never loses what was typed.
 */
export function Sections<Id extends string>({ label, sections, active, onChange, tabsOnPhones = false }: SectionsProps<Id>) {
  const base = useId();
  const asTabs = useMediaQuery(TABLET_UP) || tabsOnPhones;
  const [opened, setOpened] = useState<ReadonlySet<Id>>(() => new Set([active]));
  const [isCollapsed, setCollapsed] = useState(false);
  if (!opened.has(active)) setOpened(new Set(opened).add(active));

  const choose = (id: Id | undefined) => {
    setCollapsed(id === undefined);
    if (id !== undefined && id !== active) onChange(id);
  };
  const open = isCollapsed && !asTabs ? undefined : active;

  return (
    <Tabs.Root value={active} onValueChange={choose}>
      {asTabs && <TabList base={base} label={label} sections={sections} />}
      <Accordion.Root
        value={open === undefined ? [] : [open]}
        onValueChange={([id]: Id[]) => choose(id)}
        className={asTabs ? undefined : 'space-y-3'}
      >
        {sections.map(({ id, label: name, content }) => (
          <Accordion.Item key={id} value={id} className={asTabs ? undefined : 'overflow-clip rounded-card bg-surface shadow-card'}>
            {!asTabs && <AccordionHeading base={base} id={id} label={name} />}
            <div
              {...(asTabs ? { role: 'tabpanel', tabIndex: 0 } : { role: 'region' })}
              id={`${base}-${id}`}
              aria-labelledby={`${base}-${id}-head`}
              hidden={id !== open}
              className={asTabs ? 'pt-4 -outline-offset-2 md:pt-5' : 'border-t p-4'}
            >
              {opened.has(id) && content}
            </div>
          </Accordion.Item>
        ))}
      </Accordion.Root>
    </Tabs.Root>
  );
}

function AccordionHeading({ base, id, label }: { base: string; id: string; label: string }) {
  return (
    <Accordion.Header render={(props) => <h2 {...props}>{props.children}</h2>}>
      <Accordion.Trigger
        id={`${base}-${id}-head`}
        aria-controls={`${base}-${id}`}
        className="group flex h-12 w-full items-center justify-between px-4 text-left text-lg font-semibold -outline-offset-2"
      >
        {label}
        <ChevronDown aria-hidden="true" className="size-5 text-ink-3 transition-transform duration-160 group-data-panel-open:rotate-180" />
      </Accordion.Trigger>
    </Accordion.Header>
  );
}

type TabListProps<Id extends string> = Pick<SectionsProps<Id>, 'label' | 'sections'> & { base: string };

function TabList<Id extends string>({ base, label, sections }: TabListProps<Id>) {
  return (
    <Tabs.List aria-label={label} activateOnFocus className="flex flex-wrap border-b md:gap-1">
      {sections.map((section) => (
        <Tabs.Tab
          key={section.id}
          value={section.id}
          id={`${base}-${section.id}-head`}
          aria-controls={`${base}-${section.id}`}
          className="h-11 flex-[1_0_auto] rounded-t-control border-b-2 border-transparent px-1 font-medium whitespace-nowrap md:flex-none md:px-3.5 text-ink-2 -outline-offset-2 hover:text-ink aria-selected:border-accent aria-selected:text-accent-ink"
        >
          {section.label}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}
