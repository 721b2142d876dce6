export interface WorkType {
  readonly title: string;
  /** Printed on the invoice, so notes for colleagues are comments instead. */
  readonly description: string;
  /** The main category comes first. */
  readonly categories: readonly string[];
  readonly hours: string;
  /** Null for an hourly job. */
  readonly fixedAmount: string | null;
  /** Pairs of SKU and quantity for the items used. */
  readonly items: readonly (readonly [string, number])[];
}

const buildWork = (
  title: string,
  description: string,
  categories: readonly string[],
  hours: string,
  fixedAmount: string | null,
  items: WorkType['items'] = [],
): WorkType => ({ title, description, categories, hours, fixedAmount, items });

/** Everyday work: mostly hourly, with a fixed price for routine jobs. */
export const COMMON_WORK: readonly WorkType[] = [
  buildWork('Replace leaking hot water cylinder', 'Leaking at base. No hot water since Sunday.', ['Hot water', 'Maintenance'], '3', null, [
    ['EC-180', 1],
    ['TV-20', 1],
    ['CU-22-3', 2],
    ['BV-20', 2],
  ]),
  buildWork('Blocked kitchen drain', 'Sink backs up when the dishwasher runs.', ['Drains'], '1.5', null, [['SV-CALL', 1]]),
  buildWork('Bathroom rough-in', 'New shower and vanity. Walls are already open.', ['Bathrooms'], '7', null, [
    ['PEX-16-25', 2],
    ['PEX-EL-16', 14],
    ['PEX-TE-16', 6],
    ['PVC-40-3', 3],
  ]),
  buildWork('Gas hob installation', 'Connect the hob supplied by the customer, with a gas certificate.', ['Gas'], '2', '480.00'),
  buildWork('Annual boiler service', 'Service and pressure test.', ['Heating', 'Maintenance'], '1.5', '220.00'),
  buildWork('Leak under the vanity', 'Water under the vanity. Find and fix the leak.', ['Maintenance', 'Bathrooms'], '1', null, [
    ['BT-40-C', 1],
    ['FC-300', 2],
  ]),
  buildWork('Stormwater inspection', 'Camera inspection before the sale, with a report by email.', ['Drains'], '2', null, [['SV-CAM', 1]]),
  buildWork('Gas leak test', 'Smell of gas in the hallway. Supply is off.', ['Gas'], '1', null, [
    ['SV-AH', 1],
    ['SV-CERT', 1],
  ]),
  buildWork('Underfloor heating repair', 'Two loops aren’t heating up.', ['Heating'], '5', null, [['PEX-EL-16', 4]]),
  buildWork('Toilet replacement', 'Wall-faced suite is already on site.', ['Bathrooms'], '2.5', '640.00'),
  buildWork('Grease trap cleaning', 'Monthly clean, before the kitchen opens.', ['Drains', 'Maintenance'], '1', '180.00'),
  buildWork('Tempering valve upgrade', 'Ten units, access arranged floor by floor.', ['Hot water'], '24', '5200.00'),
  buildWork('Outside tap', 'New tap by the garage. Brick wall.', ['Maintenance'], '1', '165.00'),
  buildWork('Radiator not heating up', 'Upstairs bedroom. Valve is stuck.', ['Heating', 'Maintenance'], '1.5', null, [['TRV-15', 1]]),
  buildWork('Replace kitchen mixer', 'Old mixer drips. Replace it with a pull-out.', ['Maintenance'], '1', null, [
    ['KM-02', 1],
    ['FC-300', 2],
  ]),
];

/** Work that appears only in today's plan and in the unscheduled jobs. */
const PLANNED_WORK: readonly WorkType[] = [
  buildWork('Gas meter upgrade', 'Bigger meter for the gas hot water. Retailer has approved it.', ['Gas'], '2.5', null, [['SV-CERT', 1]]),
  buildWork('Quote visit', 'Moving the laundry: measure up for a quote.', ['Bathrooms'], '2', null),
  buildWork('Backflow tests', 'Two devices in the plant room, with the forms for the council.', ['Maintenance'], '2', '260.00'),
  buildWork('Blocked drain, urgent', 'Water coming up through the shower.', ['Drains'], '1.5', null),
  buildWork('Tap washers', 'Laundry and garden taps are dripping.', ['Maintenance'], '1', '120.00'),
  buildWork('Site meeting', 'Agree on pipe runs before the walls are lined.', ['Bathrooms'], '1', null),
  buildWork('Final inspection', 'Final inspection by the council.', ['Hot water'], '1.5', '210.00'),
  buildWork('Dishwasher connection', 'Dishwasher is on site. Needs a waste and a tap.', ['Maintenance'], '1.5', null),
  buildWork('Backflow test, units 1–6', 'Yearly test of six devices, due this month.', ['Drains', 'Maintenance'], '4', '540.00'),
  buildWork('Gas bayonet for heater', 'Lounge wall, same side as the meter. Waiting for parts.', ['Gas', 'Heating'], '1', '320.00'),
  buildWork('Spouting repair', 'Drips over the front door when it rains. Waiting for parts.', ['Drains'], '2', null),
  buildWork('Annual cylinder check', 'Yearly check of the valves, anode and pressure.', ['Hot water', 'Maintenance'], '1', '150.00'),
];

export function getWorkType(title: string): WorkType {
  const workType = [...COMMON_WORK, ...PLANNED_WORK].find((candidate) => candidate.title === title);
  if (!workType) throw new Error(`The demo has no work titled ${title}`);
  return workType;
}
