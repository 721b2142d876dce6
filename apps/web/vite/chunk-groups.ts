interface ModuleGraph {
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[];
    readonly importers: readonly string[];
    readonly dynamicImporters: readonly string[];
  } | null;
}

interface ChunkGroup {
  readonly name: string | ((id: string, graph: ModuleGraph) => string | null);
  readonly debugName?: string;
  readonly test?: (id: string) => boolean;
  readonly minShareCount?: number;
}

const ofPackages =
  (...names: readonly string[]) =>
  (id: string) =>
    names.some((name) => id.includes(`/node_modules/${name}/`));

const isReact = ofPackages('react', 'react-dom', 'scheduler', 'use-sync-external-store');
const isIcon = ofPackages('lucide-react');
const isForms = ofPackages('react-hook-form');
const isTabs = ofPackages('@base-ui/react/tabs', '@base-ui/react/accordion');
const isZod = ofPackages('zod');
const isFormPart = (id: string) => isForms(id) || isZod(id);
/** What only some pages load. */
const isOptional = (id: string) =>
  isFormPart(id) ||
  isTabs(id) ||
  ofPackages(
    '@base-ui/react/dialog',
    '@base-ui/react/menu',
    '@dnd-kit',
    '@preact/signals-core',
    '@tanstack/react-virtual',
    '@tanstack/virtual-core',
  )(id);

/** What the application itself loads on every page. */
const isFramework = ofPackages(
  '@base-ui/react/toast',
  '@orpc',
  '@tanstack/history',
  '@tanstack/query-core',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-store',
  '@tanstack/router-core',
  '@tanstack/store',
  'zustand',
);

/** Its index imports every icon; following it would give each page all of them. Public pages import theirs one by one. */
const ICON_INDEX = '/lucide-react.mjs';

/** The modules themselves and everything they import statically, directly or not. */
function importsOf(ids: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [...ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id) || id.endsWith(ICON_INDEX)) continue;
    found.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** Whether a module is there only for modules for which `isUser` is true, directly or not. */
function isOnlyFor(isUser: (id: string) => boolean, id: string, graph: ModuleGraph): boolean {
  const found = new Set<string>();
  const queue = [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    const info = graph.getModuleInfo(next);
    if (!info || info.importers.length === 0 || info.dynamicImporters.length > 0) return false;
    queue.push(...info.importers.filter((importer) => !isUser(importer)));
  }
  return true;
}

/** What only few pages show of them. */
const isRare = (id: string) =>
  [
    '/ui/color-field.tsx',
    '/ui/image-picker.tsx',
    '/ui/sortable-list.tsx',
    '/auth/confirm-email-page.tsx',
    '/auth/signed-in-devices.tsx',
    '/auth/undo-email-change-page.tsx',
  ].some((path) => id.endsWith(path));
/** The design system and sign-in are small, and the first page needs them: they are part of the entry. */
const isBasic = (id: string) => (id.includes('/src/ui/') || id.includes('/src/features/auth/')) && !isRare(id);

/** The modules of features, and their part of the contract. */
function ofFeatures(...names: readonly string[]): (id: string) => boolean {
  const paths = names.flatMap((name) => [`/web/src/features/${name}/`, `/contract/src/${name}.ts`]);
  return (id) => paths.some((path) => id.includes(path));
}

/** What the page of a job, the time sheet and a running timer on any other page share. */
const isTimer = (id: string) => ofFeatures('timer')(id) || id.endsWith('/domain/src/timer/time-sheet.ts');
/** What the calendar and the form of a job share. */
const isCalendar = (id: string) => ofFeatures('calendar')(id) || id.includes('/domain/src/calendar/');
/** What the pages of staff members and the settings share; many pages read names of staff. */
const isStaff = (id: string) => ofFeatures('staff')(id) && !id.endsWith('/staff.api.ts');
/** What the pages of quotes share. */
const isQuotes = ofFeatures('quotes');
/** What the comments of a job and the files of a quote share. */
const isComments = (id: string) => (ofFeatures('comments')(id) && !id.endsWith('.api.ts')) || id.includes('/web/src/lib/attachments/');

/** What long lists share; no other page filters like them. */
const isLists = (id: string) => id.endsWith('/lib/list-toolbar.tsx');
/** What the pages of single jobs, quotes and invoices share; lists do without it. */
const isDocuments = (id: string) => ['/lib/activity.tsx', '/lib/priced-lines.tsx'].some((path) => id.endsWith(path));
/** What these and the lists of invoices share. */
const isInvoiceParts = (id: string) =>
  ['/invoices/invoice-labels.tsx', '/invoices/payment-state.ts', '/domain/src/invoices/'].some((path) => id.includes(path));

/** Loaded when the page is idle, or cannot reach the server. */
const isOffline = (id: string) => id.endsWith('/app/offline/kept-queries.ts') || ofPackages('idb-keyval')(id);

/** What the page of a job and the one that adds items to it share. */
const isJobLines = (id: string) => id.endsWith('/jobs/jobs-items.api.ts');

/** What the pages that mail somebody share. */
const isConfirmEmail = (id: string) => id.endsWith('/company/confirm-email-banner.tsx');

/** What the pages of a customer and a supplier share: other forms do without it. */
const isContactDetails = (id: string) => ['/lib/record-details.tsx', '/lib/contact-links.tsx'].some((path) => id.endsWith(path));

const isOfFew = (id: string) =>
  isLists(id) ||
  isContactDetails(id) ||
  isConfirmEmail(id) ||
  isJobLines(id) ||
  isDocuments(id) ||
  isInvoiceParts(id) ||
  isTimer(id) ||
  isCalendar(id) ||
  isStaff(id) ||
  isComments(id) ||
  isQuotes(id);

/** The schemas and forms of one kind of record, shared by its pages: the forms of all others do without them. */
const FORMS_OF_RECORDS = [
  { name: 'account-forms', isPart: ofFeatures('auth', 'company') },
  { name: 'customer-forms', isPart: ofFeatures('customers') },
  { name: 'job-forms', isPart: ofFeatures('jobs') },
  { name: 'quote-forms', isPart: ofFeatures('quotes', 'quote-input') },
  { name: 'staff-forms', isPart: ofFeatures('staff') },
  { name: 'supplier-forms', isPart: (id: string) => ofFeatures('suppliers', 'items')(id) || id.includes('/domain/src/suppliers/') },
];
const isOfRecord = (id: string) => FORMS_OF_RECORDS.some(({ isPart }) => isPart(id));

/** What only public pages load: the rest of what they load is money and documents, for the application, too. */
const isPublicPages = (id: string) => id.includes('/web/src/public-pages/');
/** In the script of its own page: it would start on every other one. */
const isOfOnePublicPage = (id: string) => id.endsWith('.html') || id.includes('/public/');

type Belongs = (id: string, graph: ModuleGraph) => boolean;

/** Every group asks for every module: following the same imports again and again took most of the time of a build. */
function remembered(belongs: Belongs): Belongs {
  const known = new Map<string, boolean>();
  return (id, graph) => {
    const answer = known.get(id) ?? belongs(id, graph);
    known.set(id, answer);
    return answer;
  };
}

function isImportedBy(pages: readonly string[]): Belongs {
  let imports: ReadonlySet<string> | undefined;
  return (id, graph) => (imports ??= importsOf(pages, graph)).has(id);
}

/** A chunk of the modules for which `belongs` is true. */
function chunkOf(name: string, belongs: Belongs, minShareCount = 1): ChunkGroup {
  return { debugName: name, name: (id, graph) => (belongs(id, graph) ? name : null), minShareCount };
}

/**
 * What routes share, in a few chunks: a page makes few requests and loads no library that it does not use. Everything else is
 * in the chunk of its route. The first group that fits a module gets it, together with what the module imports.
 */
export function chunkGroups(appPage: string, publicPages: readonly string[]): ChunkGroup[] {
  const needs = (isPart: (id: string) => boolean) => remembered((id, graph) => [...importsOf([id], graph)].some(isPart));
  const needsForms = needs(isForms);
  const needsZod = needs(isZod);
  const needsFormPart = needs(isFormPart);
  const needsOptional = needs(isOptional);
  const isLight: Belongs = (id, graph) => !needsOptional(id, graph);
  const isApp = isImportedBy([appPage]);
  const isPublic = isImportedBy(publicPages);
  const isForForms = remembered((id, graph) => isOnlyFor((user) => needsForms(user, graph), id, graph));
  return [
    // What every page loads, also the public ones.
    chunkOf('react', (id, graph) => isReact(id) || (isPublic(id, graph) && (isApp(id, graph) || isBasic(id) || isIcon(id)))),
    { name: 'framework', test: isFramework },
    { name: 'tabs', test: isTabs },
    { name: 'popups', test: ofPackages('@base-ui', '@floating-ui') },
    chunkOf('money', (id, graph) => isPublic(id, graph) && !isOfOnePublicPage(id) && !isPublicPages(id)),
    chunkOf('public', isPublicPages),
    chunkOf('app', (id, graph) => isApp(id, graph) || (isBasic(id) && isLight(id, graph))),
    // What every page of a signed-in person loads.
    chunkOf('shell', (id) => id.endsWith('/routes/_shell.tsx?tsr-split=component')),
    { name: 'offline', test: isOffline },
    chunkOf('shared', (id, graph) => isLight(id, graph) && !isOfFew(id) && !isForForms(id, graph), 2),
    chunkOf('timer', (id, graph) => isLight(id, graph) && isTimer(id), 2),
    chunkOf('calendar-parts', (id, graph) => isLight(id, graph) && isCalendar(id), 2),
    chunkOf('staff', (id, graph) => isLight(id, graph) && isStaff(id), 2),
    chunkOf('comments', (id, graph) => isLight(id, graph) && isComments(id), 2),
    chunkOf('confirm-email', (id, graph) => isLight(id, graph) && isConfirmEmail(id), 2),
    chunkOf('job-lines', (id, graph) => isLight(id, graph) && isJobLines(id), 2),
    chunkOf('lists', (id, graph) => isLight(id, graph) && isLists(id), 2),
    chunkOf('documents', (id, graph) => isLight(id, graph) && isDocuments(id), 2),
    chunkOf('contact-details', (id, graph) => isLight(id, graph) && isContactDetails(id), 2),
    chunkOf('invoice-parts', (id, graph) => isLight(id, graph) && isInvoiceParts(id), 2),
    chunkOf('quotes', (id, graph) => isLight(id, graph) && isQuotes(id) && !isForForms(id, graph), 2),
    chunkOf('schemas', (id, graph) => needsZod(id, graph) && !needsForms(id, graph) && !isOfRecord(id), 2),
    chunkOf('forms', (id, graph) => (needsForms(id, graph) || isForForms(id, graph)) && !isOfRecord(id), 2),
    ...FORMS_OF_RECORDS.map(({ name, isPart }) =>
      chunkOf(name, (id, graph) => isPart(id) && (needsFormPart(id, graph) || isOnlyFor(isPart, id, graph)), 2),
    ),
  ];
}
