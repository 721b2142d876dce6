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

const matchPackages =
  (...names: readonly string[]) =>
  (id: string) =>
    names.some((name) => id.includes(`/node_modules/${name}/`));

const isReact = matchPackages('react', 'react-dom', 'scheduler', 'use-sync-external-store');
const isIcon = matchPackages('lucide-react');
const isFormLibrary = matchPackages('react-hook-form');
const isTabsLibrary = matchPackages('@base-ui/react/tabs', '@base-ui/react/accordion');
const isZod = matchPackages('zod');
const isFormOrSchemaLibrary = (id: string) => isFormLibrary(id) || isZod(id);
/** Matches libraries that only some pages load. */
const isOptionalLibrary = (id: string) =>
  isFormOrSchemaLibrary(id) ||
  isTabsLibrary(id) ||
  matchPackages(
    '@base-ui/react/dialog',
    '@base-ui/react/menu',
    '@dnd-kit',
    '@preact/signals-core',
    '@tanstack/react-virtual',
    '@tanstack/virtual-core',
  )(id);

/** Matches libraries that all application pages load but public pages don't. */
const isFramework = matchPackages(
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

/** The icon index imports every icon, so following it would add all of them to every page. Public pages import single icons. */
const ICON_INDEX = '/lucide-react.mjs';

/** Returns the modules together with everything they import statically, directly or indirectly. */
function collectImports(ids: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [...ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id) || id.endsWith(ICON_INDEX)) continue;
    found.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** Returns true if every import chain to this module starts at a module that satisfies `isAllowedImporter`. */
function isOnlyImportedBy(isAllowedImporter: (id: string) => boolean, id: string, graph: ModuleGraph): boolean {
  const found = new Set<string>();
  const queue = [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    const info = graph.getModuleInfo(next);
    if (!info || info.importers.length === 0 || info.dynamicImporters.length > 0) return false;
    queue.push(...info.importers.filter((importer) => !isAllowedImporter(importer)));
  }
  return true;
}

/** Matches the parts of the design system and sign-in that few pages use. */
const isRarelyUsed = (id: string) =>
  [
    '/ui/color-field.tsx',
    '/ui/image-picker.tsx',
    '/ui/sortable-list.tsx',
    '/auth/confirm-email-page.tsx',
    '/auth/signed-in-devices.tsx',
    '/auth/undo-email-change-page.tsx',
  ].some((path) => id.endsWith(path));
/** The first page needs the design system and sign-in, which are small, so they belong in the entry chunk. */
const isEntryModule = (id: string) => (id.includes('/src/ui/') || id.includes('/src/features/auth/')) && !isRarelyUsed(id);

/** Returns a predicate for the modules of these features and their part of the contract. */
function matchFeatures(...names: readonly string[]): (id: string) => boolean {
  const paths = names.flatMap((name) => [`/web/src/features/${name}/`, `/contract/src/${name}.ts`]);
  return (id) => paths.some((path) => id.includes(path));
}

/** Shared by the job page, the time sheet, and the running timer on every page. */
const isTimerModule = (id: string) => matchFeatures('timer')(id) || id.endsWith('/domain/src/timer/time-sheet.ts');
/** Shared by the calendar and the job form. */
const isCalendarModule = (id: string) => matchFeatures('calendar')(id) || id.includes('/domain/src/calendar/');
/** Shared by the staff pages and the settings. Excludes the API module, because many pages read staff names. */
const isStaffModule = (id: string) => matchFeatures('staff')(id) && !id.endsWith('/staff.api.ts');
const isQuotesModule = matchFeatures('quotes');
/** Shared by a job's comments and a quote's files. */
const isCommentsModule = (id: string) =>
  (matchFeatures('comments')(id) && !id.endsWith('.api.ts')) || id.includes('/web/src/lib/attachments/');

/** Shared by pages with a filtered list. */
const isListModule = (id: string) => id.endsWith('/lib/list-toolbar.tsx');
/** Shared by the pages of a single job, quote or invoice, but not by lists. */
const isDocumentModule = (id: string) => ['/lib/activity-card.tsx', '/lib/priced-lines.tsx'].some((path) => id.endsWith(path));
/** Shared by the document pages and the invoice lists. */
const isInvoiceModule = (id: string) =>
  ['/invoices/invoice-labels.tsx', '/invoices/payment-state.ts', '/domain/src/invoices/'].some((path) => id.includes(path));

/** Loaded when the page becomes idle or the server is unreachable. */
const isOfflineModule = (id: string) => id.endsWith('/app/offline/persisted-queries.ts') || matchPackages('idb-keyval')(id);

/** Shared by the job page and its Add Item page. */
const isJobLinesModule = (id: string) => id.endsWith('/jobs/jobs-items.api.ts');

/** Shared by the pages that send email. */
const isConfirmEmailModule = (id: string) => id.endsWith('/company/confirm-email-banner.tsx');

/** Shared by the customer and supplier pages. */
const isContactDetailsModule = (id: string) => ['/lib/record-details.tsx', '/lib/contact-links.tsx'].some((path) => id.endsWith(path));

const isSharedByFewPages = (id: string) =>
  isListModule(id) ||
  isContactDetailsModule(id) ||
  isConfirmEmailModule(id) ||
  isJobLinesModule(id) ||
  isDocumentModule(id) ||
  isInvoiceModule(id) ||
  isTimerModule(id) ||
  isCalendarModule(id) ||
  isStaffModule(id) ||
  isCommentsModule(id) ||
  isQuotesModule(id);

/** Schemas and forms of one record type, shared by its pages and not needed by other record types. */
const RECORD_FORM_GROUPS = [
  { name: 'account-forms', isMember: matchFeatures('auth', 'company') },
  { name: 'customer-forms', isMember: matchFeatures('customers') },
  { name: 'job-forms', isMember: matchFeatures('jobs') },
  { name: 'quote-forms', isMember: matchFeatures('quotes', 'quote-input') },
  { name: 'staff-forms', isMember: matchFeatures('staff') },
  { name: 'supplier-forms', isMember: (id: string) => matchFeatures('suppliers', 'items')(id) || id.includes('/domain/src/suppliers/') },
];
const isInRecordFormGroup = (id: string) => RECORD_FORM_GROUPS.some(({ isMember }) => isMember(id));

/** Loaded only by public pages. Their other modules, for money and documents, are shared with the application. */
const isSharedByPublicPages = (id: string) => id.includes('/web/src/public-pages/');
/** Must stay in its own page's entry script, because in a shared chunk it would run on every page. */
const isPublicPageEntry = (id: string) => id.endsWith('.html') || id.includes('/public/');

type ModulePredicate = (id: string, graph: ModuleGraph) => boolean;

/** Caches the results. Every group checks every module, and walking the same imports again took most of the build time. */
function memoize(predicate: ModulePredicate): ModulePredicate {
  const results = new Map<string, boolean>();
  return (id, graph) => {
    const result = results.get(id) ?? predicate(id, graph);
    results.set(id, result);
    return result;
  };
}

function createImportedByCheck(pages: readonly string[]): ModulePredicate {
  let imports: ReadonlySet<string> | undefined;
  return (id, graph) => (imports ??= collectImports(pages, graph)).has(id);
}

/** Groups the modules that satisfy `predicate`, if at least `minShareCount` entries import them. */
function createGroup(name: string, predicate: ModulePredicate, minShareCount = 1): ChunkGroup {
  return { debugName: name, name: (id, graph) => (predicate(id, graph) ? name : null), minShareCount };
}

/**
 * Puts code shared between routes into a few chunks, so that a page makes few requests and loads no library it doesn't use. Other code
 * stays in its route's chunk. A module goes into the first matching group, together with its imports.
 */
export function buildChunkGroups(appPage: string, publicPages: readonly string[]): ChunkGroup[] {
  const createNeedsCheck = (isMember: (id: string) => boolean) => memoize((id, graph) => [...collectImports([id], graph)].some(isMember));
  const needsForms = createNeedsCheck(isFormLibrary);
  const needsZod = createNeedsCheck(isZod);
  const needsFormOrSchema = createNeedsCheck(isFormOrSchemaLibrary);
  const needsOptional = createNeedsCheck(isOptionalLibrary);
  const isLightweight: ModulePredicate = (id, graph) => !needsOptional(id, graph);
  const isApp = createImportedByCheck([appPage]);
  const isPublic = createImportedByCheck(publicPages);
  const isFormOnlyModule = memoize((id, graph) => isOnlyImportedBy((importer) => needsForms(importer, graph), id, graph));
  return [
    // Loaded by every page, including the public ones.
    createGroup('react', (id, graph) => isReact(id) || (isPublic(id, graph) && (isApp(id, graph) || isEntryModule(id) || isIcon(id)))),
    { name: 'framework', test: isFramework },
    { name: 'tabs', test: isTabsLibrary },
    { name: 'popups', test: matchPackages('@base-ui', '@floating-ui') },
    createGroup('money', (id, graph) => isPublic(id, graph) && !isPublicPageEntry(id) && !isSharedByPublicPages(id)),
    createGroup('public', isSharedByPublicPages),
    createGroup('app', (id, graph) => isApp(id, graph) || (isEntryModule(id) && isLightweight(id, graph))),
    // Loaded by every page of a signed-in user.
    createGroup('shell', (id) => id.endsWith('/routes/_shell.tsx?tsr-split=component')),
    { name: 'offline', test: isOfflineModule },
    createGroup('shared', (id, graph) => isLightweight(id, graph) && !isSharedByFewPages(id) && !isFormOnlyModule(id, graph), 2),
    createGroup('timer', (id, graph) => isLightweight(id, graph) && isTimerModule(id), 2),
    createGroup('calendar-parts', (id, graph) => isLightweight(id, graph) && isCalendarModule(id), 2),
    createGroup('staff', (id, graph) => isLightweight(id, graph) && isStaffModule(id), 2),
    createGroup('comments', (id, graph) => isLightweight(id, graph) && isCommentsModule(id), 2),
    createGroup('confirm-email', (id, graph) => isLightweight(id, graph) && isConfirmEmailModule(id), 2),
    createGroup('job-lines', (id, graph) => isLightweight(id, graph) && isJobLinesModule(id), 2),
    createGroup('lists', (id, graph) => isLightweight(id, graph) && isListModule(id), 2),
    createGroup('documents', (id, graph) => isLightweight(id, graph) && isDocumentModule(id), 2),
    createGroup('contact-details', (id, graph) => isLightweight(id, graph) && isContactDetailsModule(id), 2),
    createGroup('invoice-parts', (id, graph) => isLightweight(id, graph) && isInvoiceModule(id), 2),
    createGroup('quotes', (id, graph) => isLightweight(id, graph) && isQuotesModule(id) && !isFormOnlyModule(id, graph), 2),
    createGroup('schemas', (id, graph) => needsZod(id, graph) && !needsForms(id, graph) && !isInRecordFormGroup(id), 2),
    createGroup('forms', (id, graph) => (needsForms(id, graph) || isFormOnlyModule(id, graph)) && !isInRecordFormGroup(id), 2),
    ...RECORD_FORM_GROUPS.map(({ name, isMember }) =>
      createGroup(name, (id, graph) => isMember(id) && (needsFormOrSchema(id, graph) || isOnlyImportedBy(isMember, id, graph)), 2),
    ),
  ];
}
