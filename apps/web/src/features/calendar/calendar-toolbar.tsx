import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { CALENDAR_VIEWS, type CalendarChoice, stepDate, viewTitle } from './calendar-view.ts';

interface CalendarToolbarProps {
  choice: CalendarChoice;
  /** 'yyyy-MM-dd' in the shown zone. */
  today: string;
  zone: string;
  onChoice: (choice: CalendarChoice) => void;
}

/** What is shown, and how to get elsewhere. */
export function CalendarToolbar({ choice, today, onChoice }: CalendarToolbarProps) {
  const { view, date } = choice;
  const goTo = (next: string) => onChoice({ ...choice, date: next });
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <h1 className="min-w-0 flex-1 text-2xl font-semibold tracking-tight">{viewTitle(view, date)}</h1>
      <IconButton label="Previous" onClick={() => goTo(stepDate(view, date, -1))}>
        <ChevronLeft aria-hidden="true" />
      </IconButton>
      <IconButton label="Next" onClick={() => goTo(stepDate(view, date, 1))}>
        <ChevronRight aria-hidden="true" />
      </IconButton>
      <Button onClick={() => goTo(today)}>Today</Button>
      {CALENDAR_VIEWS.map((each) => (
        <Button key={each} aria-pressed={each === view} onClick={() => onChoice({ ...choice, view: each })}>
          {each}
        </Button>
      ))}
      <LinkButton to="/jobs/new" tone="primary">
        New Job
      </LinkButton>
    </div>
  );
}
