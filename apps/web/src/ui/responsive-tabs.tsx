import { Accordion } from '@base-ui/react/accordion';
import { Tabs } from '@base-ui/react/tabs';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { TABLET_UP, useMediaQuery } from './use-browser-state.ts';

export interface ResponsiveTab<Id extends string> {
  id: Id;
  label: string;
  content: ReactNode;
}

interface ResponsiveTabsProps<Id extends string> {
  /** Accessible name of the tab list. */
  label: string;
  tabs: readonly ResponsiveTab<Id>[];
  active: Id;
  onChange: (id: Id) => void;
  /** Keeps tabs on phones too. Use it for a few short labels, each with a screenful of content. */
  tabsOnPhones?: boolean;
}

/**
 * Tabs from 768 px up, an accordion below. Both layouts share the panels, and an opened panel stays mounted, so that rotating a tablet or
 * switching tabs never loses typed text.
 */
export function ResponsiveTabs<Id extends string>({ label, tabs, active, onChange, tabsOnPhones = false }: ResponsiveTabsProps<Id>) {
  const idPrefix = useId();
  const asTabs = useMediaQuery(TABLET_UP) || tabsOnPhones;
  const [openedIds, setOpenedIds] = useState<ReadonlySet<Id>>(() => new Set([active]));
  const [isCollapsed, setCollapsed] = useState(false);
  if (!openedIds.has(active)) setOpenedIds(new Set(openedIds).add(active));

  const selectTab = (id: Id | undefined) => {
    setCollapsed(id === undefined);
    if (id !== undefined && id !== active) onChange(id);
  };
  const open = isCollapsed && !asTabs ? undefined : active;

  return (
    <Tabs.Root value={active} onValueChange={selectTab}>
      {asTabs && <TabList idPrefix={idPrefix} label={label} tabs={tabs} />}
      <Accordion.Root
        value={open === undefined ? [] : [open]}
        onValueChange={([id]: Id[]) => selectTab(id)}
        className={asTabs ? undefined : 'space-y-3'}
      >
        {tabs.map(({ id, label: name, content }) => (
          <Accordion.Item key={id} value={id} className={asTabs ? undefined : 'overflow-clip rounded-card bg-surface shadow-card'}>
            {!asTabs && <AccordionHeading idPrefix={idPrefix} id={id} label={name} />}
            <div
              {...(asTabs ? { role: 'tabpanel', tabIndex: 0 } : { role: 'region' })}
              id={`${idPrefix}-${id}`}
              aria-labelledby={`${idPrefix}-${id}-head`}
              hidden={id !== open}
              className={asTabs ? 'pt-4 -outline-offset-2 md:pt-5' : 'border-t p-4'}
            >
              {openedIds.has(id) && content}
            </div>
          </Accordion.Item>
        ))}
      </Accordion.Root>
    </Tabs.Root>
  );
}

function AccordionHeading({ idPrefix, id, label }: { idPrefix: string; id: string; label: string }) {
  return (
    <Accordion.Header render={(props) => <h2 {...props}>{props.children}</h2>}>
      <Accordion.Trigger
        id={`${idPrefix}-${id}-head`}
        aria-controls={`${idPrefix}-${id}`}
        className="group flex h-12 w-full items-center justify-between px-4 text-left text-lg font-semibold -outline-offset-2"
      >
        {label}
        <ChevronDown aria-hidden="true" className="size-5 text-ink-3 transition-transform duration-160 group-data-panel-open:rotate-180" />
      </Accordion.Trigger>
    </Accordion.Header>
  );
}

type TabListProps<Id extends string> = Pick<ResponsiveTabsProps<Id>, 'label' | 'tabs'> & { idPrefix: string };

function TabList<Id extends string>({ idPrefix, label, tabs }: TabListProps<Id>) {
  return (
    <Tabs.List aria-label={label} activateOnFocus className="flex flex-wrap border-b md:gap-1">
      {tabs.map((tab) => (
        <Tabs.Tab
          key={tab.id}
          value={tab.id}
          id={`${idPrefix}-${tab.id}-head`}
          aria-controls={`${idPrefix}-${tab.id}`}
          className="h-11 flex-[1_0_auto] rounded-t-control border-b-2 border-transparent px-1 font-medium whitespace-nowrap md:flex-none md:px-3.5 text-ink-2 -outline-offset-2 hover:text-ink aria-selected:border-accent aria-selected:text-accent-ink"
        >
          {tab.label}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}
