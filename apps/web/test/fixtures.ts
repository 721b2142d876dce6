import type { Me, Profile } from '@callout/contract/company';
import type { Customer } from '@callout/contract/customers';
import type { Item } from '@callout/contract/items';
import type { Job, JobItem } from '@callout/contract/jobs';
import type { Quote, QuoteItem, QuoteRow, QuoteSection } from '@callout/contract/quotes';
import type { StaffMember } from '@callout/contract/staff';
import type { Supplier } from '@callout/contract/suppliers';
import type { Task } from '@callout/contract/tasks';

const CREATED_AT = '2026-03-01T08:00:00.000Z';

/** A user who has signed up but has no company yet. */
export const USER_WITHOUT_COMPANY: Me = {
  user: { id: 'user-1', email: 'mia@example.com', name: 'Mia', staff_id: null, avatar_url: null, hex_code: null, pending_email: null },
  profile: null,
  company_deletes_at: null,
  is_system_admin: false,
  must_confirm_email: false,
  sends_mail: true,
  menu_order: null,
  start_card_dismissed: false,
};

export const PROFILE: Profile = {
  id: 'user-1',
  role: 'admin',
  company_id: 'company-1',
  company_name: 'Harbour Plumbing',
  email: 'office@example.com',
  phone: '09 555 000',
  address: null,
  timezone: 'Pacific/Auckland',
  gst_number: '123-456-789',
  gst_percentage: '15',
  default_hourly_rate: null,
  currency: 'NZD',
  bank_name: null,
  bank_account_number: null,
  paypal_email: 'pay@example.com',
  add_paypal_fees: false,
  paypal_fee_percentage: null,
  quote_reminder_days: null,
  payment_terms_days: null,
  invoice_reminder_days: null,
  invoice_reminder_subject: null,
  invoice_reminder_body: null,
  avatar_url: null,
  onboarding_completed: true,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  version: 1,
};

/** The same user as the admin of a company. */
export const ADMIN_USER: Me = { ...USER_WITHOUT_COMPANY, user: { ...USER_WITHOUT_COMPANY.user, staff_id: 'staff-1' }, profile: PROFILE };

export const CUSTOMER: Customer = {
  id: '018f0000-0000-7000-8000-000000000001',
  name: 'Ana Rossi',
  email: 'ana@example.com',
  phone: '021 555 123',
  address: '1 High Street',
  notes: null,
  company_name: null,
  contact_name: null,
  contact_email: null,
  contact_phone: null,
  status: 'active',
  created_at: CREATED_AT,
  last_interaction: null,
  updated_at: CREATED_AT,
  version: 1,
};

export const SUPPLIER: Supplier = {
  id: '018f0000-0000-7000-8000-0000000000a1',
  company_name: 'Harbour Pipes',
  email: 'sales@pipes.example',
  phone: '09 555 700',
  address: '7 Dock Road',
  city: 'Auckland',
  state: null,
  postal_code: '1010',
  country: 'New Zealand',
  status: 'active',
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  version: 1,
};

export const ITEM: Item = {
  id: '018f0000-0000-7000-8000-0000000000b1',
  supplier_id: SUPPLIER.id,
  name: 'Copper pipe 15 mm',
  sku: 'CP-15',
  description: null,
  pricing_method: 'margin',
  cost_price: '100.00',
  margin_percentage: '30.0',
  markup_amount: null,
  fixed_price: null,
  tax_inclusive: true,
  is_service: false,
  selling_price: '142.86',
  profit_margin: '30.0',
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  version: 1,
};

export const SAM = { id: '018f0000-0000-7000-8000-00000000005a', name: 'Sam Leota', hex_code: '#16a34a', avatar_url: null };
export const MIA = { id: '018f0000-0000-7000-8000-00000000005b', name: 'Mia Tane', hex_code: null, avatar_url: null };
export const DRAINS_CATEGORY = { id: '018f0000-0000-7000-8000-0000000000c1', name: 'Drains' };
export const GAS_CATEGORY = { id: '018f0000-0000-7000-8000-0000000000c2', name: 'Gas' };

/** Booked for 8 AM in Auckland on April 6, the day after the clocks went back. */
export const JOB: Job = {
  id: '018f0000-0000-7000-8000-000000000011',
  job_number: 'J26030042',
  title: 'Roof repair',
  description: 'Two tiles are missing.',
  status: 'booked',
  job_type: 'fixed',
  fixed_amount: '500.00',
  hourly_rate: null,
  hourly_rate_confirmed: false,
  booking_date: '2026-04-05T20:00:00.000Z',
  duration: '2',
  address: CUSTOMER.address,
  customer_id: CUSTOMER.id,
  customer: {
    id: CUSTOMER.id,
    name: CUSTOMER.name,
    company_name: null,
    email: CUSTOMER.email,
    phone: CUSTOMER.phone,
    address: CUSTOMER.address,
  },
  quote_id: null,
  quote_number: null,
  staff_id: SAM.id,
  staff: SAM,
  categories: [DRAINS_CATEGORY],
  items: [],
  currency: 'NZD',
  tax_rate: '15',
  totals: { subtotal: '434.78', tax_amount: '65.22', total_amount: '500.00' },
  deposit_amount: null,
  billed_amount: null,
  is_invoice_canceled: false,
  paid_amount: '0.00',
  timer: {
    timer_status: null,
    finished_seconds: 0,
    running: [],
    allocated_seconds: 0,
    hourly_rate: '85.00',
    server_time: CREATED_AT,
  },
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  version: 1,
};

export const JOB_ITEM: JobItem = {
  id: 'line-1',
  supplier_item_id: 'item-1',
  name: 'Tap',
  description: null,
  sku: 'T-1',
  supplier_name: 'Mico',
  tax_inclusive: true,
  is_service: false,
  quantity: '1',
  unit_price: '115.00',
  cost_price: null,
  discount_percent: null,
  discount_amount: null,
  discount: '0.00',
  total_price: '115.00',
  is_fixed_price: false,
  version: 1,
};

/** Empty comments and history, which every job page requests. */
export const JOB_PAGE_RESPONSES = {
  'GET /comments?job_id={id}': () => ({ rows: [] }),
  'GET /jobs/{id}/history': () => ({ rows: [], next_cursor: null }),
};

export const QUOTE_ITEM: QuoteItem = {
  id: '018f0000-0000-7000-8000-0000000000e1',
  supplier_item_id: ITEM.id,
  name: 'Heat pump',
  description: null,
  sku: 'HP-1',
  supplier_name: SUPPLIER.company_name,
  tax_inclusive: true,
  is_service: false,
  quantity: '1',
  unit_price: '230.00',
  total_price: '230.00',
  cost_price: '150.00',
  pricing_method: 'margin',
  margin_percentage: '30.0',
  markup_amount: null,
  fixed_price: null,
};

export const QUOTE_SECTION: QuoteSection = {
  id: '018f0000-0000-7000-8000-0000000000d1',
  name: 'Items & Services',
  description: null,
  always_required: false,
  subtotal: '200.00',
  tax_amount: '30.00',
  total_amount: '230.00',
  items: [QUOTE_ITEM],
};

/** A draft quote with one section. */
export const QUOTE: Quote = {
  id: '018f0000-0000-7000-8000-000000000021',
  quote_number: 'Q001234',
  title: 'Heat pump for the lounge',
  description: 'Supply and install.',
  valid_until: '2026-04-30',
  status: 'draft',
  shown_status: 'draft',
  is_actionable: true,
  customer_id: CUSTOMER.id,
  customer: JOB.customer,
  former_customer: null,
  currency: 'NZD',
  tax_rate: '15',
  subtotal: '200.00',
  tax_amount: '30.00',
  total_amount: '230.00',
  estimated_profit: '80.00',
  deposit_percentage: null,
  deposit_amount: null,
  sections: [QUOTE_SECTION],
  selected_option_id: null,
  accepted_option_ids: [],
  attachments: [],
  public_path: '/quote/AbCdEf123456',
  sent_at: null,
  rejected_at: null,
  first_opened_at: null,
  last_opened_at: null,
  mails: [],
  acceptance: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  version: 1,
};

export const QUOTE_ROW: QuoteRow = {
  id: QUOTE.id,
  quote_number: QUOTE.quote_number,
  title: QUOTE.title,
  currency: QUOTE.currency,
  total_amount: QUOTE.total_amount,
  valid_until: QUOTE.valid_until,
  status: QUOTE.status,
  shown_status: QUOTE.shown_status,
  created_at: CREATED_AT,
  customer: { id: CUSTOMER.id, name: CUSTOMER.name, company_name: null },
  is_mail_failed: false,
  matched: null,
};

/** Scheduled for 8 AM in Auckland on April 6. */
export const TASK: Task = {
  id: '018f0000-0000-7000-8000-000000000041',
  title: 'Order parts',
  description: null,
  color: 'blue',
  show_in_calendar: true,
  calendar_date: '2026-04-05T20:00:00.000Z',
  calendar_duration: '1.50',
  staff_id: SAM.id,
  staff: { id: SAM.id, name: SAM.name, hex_code: SAM.hex_code },
  status: 'active',
  completed_at: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  version: 1,
};

/** `ADMIN_USER` as a row of the staff list. */
export const ADMIN_STAFF_MEMBER: StaffMember = {
  id: 'staff-1',
  profile_id: 'user-1',
  name: 'Mia Chen',
  email: 'mia@example.com',
  phone: '021 555',
  hourly_rate: '45.00',
  role: 'admin',
  color: null,
  avatar_url: null,
  status: 'active',
  invited_at: null,
  invitation_expires_at: null,
  delivery: null,
  delivery_problem: null,
  copied_link: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  version: 1,
};
