/** What the firm does. */
export interface Work {
  readonly title: string;
  readonly description: string;
  /** The main one first. */
  readonly categories: readonly string[];
  readonly hours: string;
  /** Null for an hourly job. */
  readonly fixedAmount: string | null;
  /** SKU and quantity of what was used. */
  readonly items: readonly (readonly [string, number])[];
}

const work = (
  title: string,
  description: string,
  categories: readonly string[],
  hours: string,
  fixedAmount: string | null,
  items: Work['items'] = [],
): Work => ({ title, description, categories, hours, fixedAmount, items });

/** Most of a plumber's week is paid by the hour; what repeats has a price. */
export const WORK: readonly Work[] = [
  work('Replace leaking hot water cylinder', 'Leaking from the base, no hot water since Sunday.', ['Hot water', 'Maintenance'], '3', null, [
    ['EC-180', 1],
    ['TV-20', 1],
    ['CU-22-3', 2],
    ['BV-20', 2],
  ]),
  work('Blocked kitchen drain', 'Sink backs up when the dishwasher runs.', ['Drains'], '1.5', null, [['SV-CALL', 1]]),
  work('Bathroom rough-in', 'New shower and vanity, walls are open.', ['Bathrooms'], '7', null, [
    ['PEX-16-25', 2],
    ['PEX-EL-16', 14],
    ['PEX-TE-16', 6],
    ['PVC-40-3', 3],
  ]),
  work('Gas hob installation', 'Customer supplies the hob. Certificate needed.', ['Gas'], '2', '480.00'),
  work('Annual boiler service', 'Service and pressure test.', ['Heating', 'Maintenance'], '1.5', '220.00'),
  work('Leak under the vanity', 'Bucket is in place. Water off at the toby.', ['Maintenance', 'Bathrooms'], '1', null, [
    ['BT-40-C', 1],
    ['FC-300', 2],
  ]),
  work('Stormwater inspection', 'Camera inspection before the sale, report by email.', ['Drains'], '2', null, [['SV-CAM', 1]]),
  work('Gas leak test', 'Smell reported in the hallway, supply is off.', ['Gas'], '1', null, [
    ['SV-AH', 1],
    ['SV-CERT', 1],
  ]),
  work('Underfloor heating repair', 'Two loops stay cold.', ['Heating'], '5', null, [['PEX-EL-16', 4]]),
  work('Toilet replacement', 'Wall-faced suite is on site.', ['Bathrooms'], '2.5', '640.00'),
  work('Grease trap cleaning', 'Before 9, kitchen door is open.', ['Drains', 'Maintenance'], '1', '180.00'),
  work('Tempering valve upgrade', 'Ten units, access arranged floor by floor.', ['Hot water'], '24', '5200.00'),
  work('Outside tap', 'By the garage, brick wall.', ['Maintenance'], '1', '165.00'),
  work('Radiator does not get warm', 'Bedroom upstairs. Valve is stuck.', ['Heating', 'Maintenance'], '1.5', null, [['TRV-15', 1]]),
  work('Kitchen mixer', 'Old one drips. Customer wants a pull-out.', ['Maintenance'], '1', null, [
    ['KM-02', 1],
    ['FC-300', 2],
  ]),
];

/** What is planned or waiting, beside the usual. */
const MORE_WORK: readonly Work[] = [
  work('Gas meter upgrade', 'Bigger meter for the continuous gas. Retailer has approved it.', ['Gas'], '2.5', null, [['SV-CERT', 1]]),
  work('Quote visit', 'Wants the laundry moved. Measure up and take photos.', ['Bathrooms'], '2', null),
  work('Backflow tests', 'Two devices in the plant room. Forms go to the council.', ['Maintenance'], '2', '260.00'),
  work('Blocked drain, urgent', 'Water comes up in the shower. Tenant is at home.', ['Drains'], '1.5', null),
  work('Tap washers', 'Laundry and garden tap.', ['Maintenance'], '1', '120.00'),
  work('Site meeting', 'Where the pipes go, before the walls are closed.', ['Bathrooms'], '1', null),
  work('Final inspection', 'Council inspector comes at half past. Bring the certificates.', ['Hot water'], '1.5', '210.00'),
  work('Dishwasher connection', 'Machine is there, needs waste and a tap.', ['Maintenance'], '1.5', null),
  work('Backflow test, units 1–6', 'Due this month. Keys at the office.', ['Drains', 'Maintenance'], '4', '540.00'),
  work('Gas bayonet for heater', 'Lounge wall, meter is on the same side.', ['Gas', 'Heating'], '1', '320.00'),
  work('Spouting repair', 'Drips over the front door when it rains.', ['Drains'], '2', null),
  work('Annual cylinder check', 'Caretaker opens the boiler room.', ['Hot water', 'Maintenance'], '1', '150.00'),
];

export function workOf(title: string): Work {
  const found = [...WORK, ...MORE_WORK].find((one) => one.title === title);
  if (!found) throw new Error(`The demo firm does not do this: ${title}`);
  return found;
}
