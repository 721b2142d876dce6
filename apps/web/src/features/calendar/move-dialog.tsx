import { isDurationHours } from '@callout/domain/durations/duration';
import { formatTime } from '@callout/domain/time/date-format';
import { fieldTime, wallTime } from '@callout/domain/time/wall-time';
import { clockChangeAt, localDate, zonedInstant } from '@callout/domain/time/zoned-time';
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { timeZoneText } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import { DecimalField } from '../../ui/decimal-field.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UNASSIGNED } from '../jobs/job-labels.tsx';
import { BookingClash } from './booking-clash.tsx';
import type { ScheduleChange, useSchedule } from './calendar.api.ts';
import { type EventStaff, hoursOf, type Schedulable } from './calendar-event.ts';

export interface MoveDialogProps {
  /** Open while there is one. */
  event: Schedulable | undefined;
  /** 'yyyy-MM-dd': where something of the tray starts from. */
  date: string;
  zone: string;
  people: readonly EventStaff[];
  onMove: ReturnType<typeof useSchedule>;
  onClose: () => void;
}

interface Typed {
  readonly date: string;
  readonly time: string;
  readonly hours: string;
  readonly staffId: string;
}

type Wrong = Partial<Record<keyof Typed, string>>;

const DAY_STARTS = '08:00';
