import { STATUS_CODES } from 'node:http';
import type { CallAccess, CallMeta } from '@callout/contract/call';
import { contract } from '@callout/contract/contract';
import { commonErrors, ERROR_STATUS } from '@callout/contract/errors';
import { collectSchemas, type ZodSchema } from '@callout/contract/schema-traversal';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { ROLES_BY_CAPABILITY } from '@callout/domain/roles/roles';
import type { AnyContractProcedure, AnySchema, OpenAPI } from '@orpc/contract';
import { type JSONSchema, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import type { z } from 'zod';
import { COOKIE_PREFIX } from '../../auth/session-cookie.ts';
import { buildExample } from './examples.ts';
import { FILE_ROUTES, type FileRoute, UPLOAD_ERRORS } from './file-routes.ts';
import { namedSchemas } from './named-schemas.ts';

/** Describes every call and file route as OpenAPI 3.1, for the API reference and for client generators. */
export async function buildOpenApiDocument(): Promise<OpenAPI.Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(contract, {
    info: {
      title: `${PRODUCT_NAME} API`,
      version: '1',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api', description: 'This server' }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
    components: {
      schemas: { Error: ERROR_SCHEMA },
      responses: { [getResponseName(ERROR_STATUS.NOT_FOUND)]: NOT_FOUND_RESPONSE },
      securitySchemes: { session: SESSION_COOKIE_SCHEME },
    },
    commonSchemas: listUsedSchemas(),
    customErrorResponseBodySchema: (errors) => toUnionSchema(errors.map(([code, , , data]) => buildErrorSchema(code, data))),
  });
  for (const procedure of listProcedures()) {
    const operation = getOperation(document, procedure);
    describeAccess(operation, getMeta(procedure).access);
    describeErrors(document, operation, procedure);
    if (isTenantMutation(procedure)) operation.parameters = [...(operation.parameters ?? []), ...COMMAND_HEADERS];
    addExamples(document, operation);
  }
  for (const route of FILE_ROUTES) describeFileRoute(document, route);
  removeUnusedSchemas(document);
  return JSON.parse(JSON.stringify(document), omitSafeIntegerRange) as OpenAPI.Document;
}

/** Omits the safe-integer range, which limits every integer in the contract and would only add noise. */
function omitSafeIntegerRange(key: string, value: unknown): unknown {
  const isNoise = (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER);
  return isNoise ? undefined : value;
}

const INTRODUCTION = `The ${PRODUCT_NAME} web app uses this API for everything it does, and so can you.

**Authentication.** \`POST /auth/sign-in\` sets a session cookie. Send it with every request except those to public endpoints.

**Idempotency and conflicts.** You generate the id (a UUID) of each new record, so you can safely retry a request without creating a duplicate. Other changes take an \`Idempotency-Key\`: a retry with the same key returns the first response and changes nothing, for 30 days unless your server is set differently. Updates include the \`version\` they are based on. If the record has changed since, you get a \`STALE_VERSION\` error with its current state.

**Formats.** Amounts are decimal strings with two decimal places (\`"115.00"\`). Timestamps are ISO 8601 in UTC, and dates are \`YYYY-MM-DD\`.

**Pagination.** Lists return one page at a time. To get the next page, pass \`next_cursor\` as \`cursor\`. It is \`null\` on the last page.

**Errors.** Every error has a \`code\` to handle in your program and a \`message\` that you can show to users.`;

const COMMAND_HEADERS: OpenAPI.ParameterObject[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes it safe to send the request again if its response was lost: a request with the same key and input returns the first response and changes nothing. A failed request stores no response. ID_TAKEN means that you used the key for another request.',
    schema: { type: 'string', format: 'uuid' },
  },
  {
    name: 'X-Callout-Made-Ago',
    in: 'header',
    description:
      'How many milliseconds ago someone made this change on a device without a connection, at most 30 days. Timers, history, comments and tasks take the time from it.',
    schema: { type: 'integer', default: 0 },
  },
];

const TAGS = [
  ['auth', 'Sign-up, sign-in, passwords, email changes and signed-in devices'],
  ['company', 'The company, its settings and the signed-in user'],
  ['staff', 'Staff members, their roles and invitations'],
  ['customers', 'The people and businesses that the company works for'],
  ['categories', 'Labels for grouping jobs'],
  ['suppliers', 'Suppliers and their price lists'],
  ['items', 'Items and services on price lists'],
  ['jobs', 'Jobs with their line items, status and history'],
  ['timer', 'Time tracking and time sheets'],
  ['comments', 'Comments and photos on jobs'],
  ['board', 'Open jobs by status'],
  ['calendar', 'Booked jobs and tasks, and the iCalendar feed'],
  ['tasks', 'To-dos, with an optional assignee and calendar slot'],
  ['quotes', 'Quotes, including their sections, emails and acceptance'],
  ['invoices', 'Invoices, credit notes, emails and reminders'],
  ['payments', 'Payments and reversals'],
  ['dashboard', "The company's key figures"],
  ['notifications', 'In-app notifications for the signed-in user'],
  ['public pages', 'Endpoints for customers who have a link to a quote or invoice'],
  ['files', 'Uploads, images, PDFs and CSV exports'],
  ['admin', 'Server administration'],
] as const;

const SESSION_COOKIE_SCHEME = {
  type: 'apiKey',
  in: 'cookie',
  name: `${COOKIE_PREFIX}.session_token`,
  description: `Set by POST /auth/sign-in. Over HTTPS, its name is \`__Secure-${COOKIE_PREFIX}.session_token\`.`,
} as const satisfies OpenAPI.SecuritySchemeObject;

const ERROR_SCHEMA = {
  type: 'object',
  properties: {
    defined: { type: 'boolean', description: 'True if this error is documented for the endpoint.' },
    code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
    status: { type: 'integer', description: 'The HTTP status code.' },
    message: { type: 'string', description: 'A message that you can show to users.' },
    data: { description: 'Details that depend on the code, such as a message for each invalid field.' },
  },
  required: ['code', 'status', 'message'],
} satisfies OpenAPI.SchemaObject;

function buildErrorSchema(code: string, data: JSONSchema): JSONSchema {
  const hasData = typeof data === 'object' && Object.keys(data).length > 0;
  return {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { code: { const: code }, ...(hasData && { data }) }, required: hasData ? ['code', 'data'] : ['code'] },
    ],
  };
}

/** The 404 response of file routes. Calls declare their own, more specific message. */
const NOT_FOUND_RESPONSE: OpenAPI.ResponseObject = {
  description: "NOT_FOUND: The record doesn't exist, or you don't have access to it.",
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

const toUnionSchema = (schemas: JSONSchema[]): JSONSchema => (schemas.length === 1 && schemas[0] ? schemas[0] : { oneOf: schemas });

/** Lists the schemas in use: in their output form if they appear in a response, otherwise in their input form. */
function listUsedSchemas() {
  const sent = new Set<ZodSchema>();
  const received = new Set<ZodSchema>();
  for (const { '~orpc': call } of listProcedures()) {
    const responses = [call.outputSchema, ...listErrors(call).map(({ data }) => data)];
    for (const response of responses) addSchemas(sent, response as ZodSchema | undefined);
    addSchemas(received, call.inputSchema as ZodSchema | undefined);
  }
  const used = Object.entries(namedSchemas).filter(([, schema]) => sent.has(schema) || received.has(schema));
  return Object.fromEntries(
    used.map(([name, schema]): [string, { schema: AnySchema; strategy: 'input' | 'output' }] => [
      name,
      { schema: schema as z.ZodType, strategy: sent.has(schema) ? 'output' : 'input' },
    ]),
  );
}

function addSchemas(found: Set<ZodSchema>, schema: ZodSchema | undefined): void {
  if (schema) for (const inner of collectSchemas(schema)) found.add(inner.schema);
}

const listProcedures = () => Object.values(contract).flatMap((calls) => Object.values<AnyContractProcedure>(calls));

interface DeclaredError {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly data?: unknown;
}

function listErrors({ errorMap }: AnyContractProcedure['~orpc']): DeclaredError[] {
  return Object.entries(errorMap as Record<string, Omit<DeclaredError, 'code'>>).map(([code, error]) => ({ ...error, code }));
}

const getMeta = (procedure: AnyContractProcedure) => procedure['~orpc'].meta as CallMeta;

function getOperation(document: OpenAPI.Document, { '~orpc': { route } }: AnyContractProcedure): OpenAPI.OperationObject {
  const method = (route.method ?? '').toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  const operation = document.paths?.[route.path ?? '']?.[method];
  if (!operation) throw new Error(`${route.method} ${route.path} is missing from the document`);
  return operation;
}

const isTenantMutation = (procedure: AnyContractProcedure) => {
  const { access, hasSecretAnswer } = getMeta(procedure);
  return access in ROLES_BY_CAPABILITY && !hasSecretAnswer && procedure['~orpc'].route.method !== 'GET';
};

function describeAccess(operation: OpenAPI.OperationObject, access: CallAccess): void {
  operation.security = access === 'public' ? [] : [{ session: [] }];
  operation.description = [operation.description, formatAccess(access)].filter(Boolean).join('\n\n');
}

function formatAccess(access: CallAccess): string {
  if (access === 'public') return 'No authentication required.';
  if (access === 'signed-in') return 'Requires a signed-in user.';
  if (access === 'system-admin') return 'Requires the system administrator.';
  const roles = ROLES_BY_CAPABILITY[access];
  return `Requires one of these roles: ${roles.join(', ')}.`;
}

/** Adds an explanation of each error to the operation. Errors common to most calls are described once, under components. */
function describeErrors(document: OpenAPI.Document, operation: OpenAPI.OperationObject, procedure: AnyContractProcedure): void {
  const shared = ((document.components ??= {}).responses ??= {});
  const responses = (operation.responses ??= {});
  const isPublic = getMeta(procedure).access === 'public';
  const declared = Object.groupBy(listErrors(procedure['~orpc']), ({ status }) => status);
  for (const [status, errors = []] of Object.entries(declared)) {
    const response = responses[status];
    if (!response || '$ref' in response) throw new Error(`${operation.operationId} has no response for status ${status}`);
    response.description = errors.map(({ code, message }) => `${code}: ${message}`).join('\n\n');
    if (!errors.every(isCommon)) continue;
    if (isPublic && Number(status) === ERROR_STATUS.UNAUTHENTICATED) {
      delete responses[status];
      continue;
    }
    shared[getResponseName(status)] ??= response;
    responses[status] = { $ref: `#/components/responses/${getResponseName(status)}` };
  }
}

function isCommon({ code, message }: DeclaredError): boolean {
  return Object.entries(commonErrors).some(([name, error]) => name === code && error.message === message);
}

/** Converts a status to a response name, such as 429 to TooManyRequests. */
const getResponseName = (status: number | string) => (STATUS_CODES[status] ?? String(status)).replaceAll(' ', '');

function addExamples(document: OpenAPI.Document, operation: OpenAPI.OperationObject): void {
  const [owner = ''] = operation.tags ?? [];
  for (const parameter of operation.parameters ?? []) {
    if (!('$ref' in parameter) && parameter.required)
      parameter.example = buildExample(document, parameter.schema, { owner, field: parameter.name });
  }
  const successes = Object.entries(operation.responses ?? {}).flatMap(([status, response]) => (Number(status) < 300 ? [response] : []));
  for (const part of [operation.requestBody, ...successes]) {
    const json = part && 'content' in part ? part.content?.['application/json'] : undefined;
    if (json?.schema) json.example = buildExample(document, json.schema, { owner, field: '' });
  }
}

function describeFileRoute(document: OpenAPI.Document, route: FileRoute): void {
  const { method, path, summary, access, tag, response, uploadSchema, filtersFromPath } = route;
  const errorCodes = [
    ...(access === 'public' ? [] : (['UNAUTHENTICATED', 'FORBIDDEN'] as const)),
    ...(path.includes('{') ? (['NOT_FOUND'] as const) : []),
    ...(filtersFromPath ? (['INVALID_INPUT'] as const) : []),
    'TOO_MANY_ATTEMPTS' as const,
  ];
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: { type: 'string' as const },
    example: buildExample(document, { type: 'string' }, { owner: tag, field: name }),
  }));
  const operation: OpenAPI.OperationObject = {
    operationId: `${method}${path.replaceAll(/[^a-z]+([a-z])/g, (_match, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '')}`,
    summary,
    tags: [tag],
    parameters: [...pathParameters, ...((filtersFromPath && document.paths?.[filtersFromPath]?.get?.parameters) || [])],
    responses: {
      [response.status]: { description: 'OK', content: { [response.type]: { schema: response.schema } } },
      ...Object.fromEntries(
        errorCodes.map((code) => [ERROR_STATUS[code], { $ref: `#/components/responses/${getResponseName(ERROR_STATUS[code])}` }]),
      ),
    },
  };
  if (uploadSchema) {
    operation.requestBody = { required: true, content: { 'multipart/form-data': { schema: uploadSchema } } };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
    for (const [status, description] of Object.entries(UPLOAD_ERRORS)) (operation.responses ??= {})[status] = { description, content };
  }
  describeAccess(operation, access);
  const paths = (document.paths ??= {});
  paths[path] = { ...paths[path], [method]: operation };
}

/** Removes unused schemas. Updates take their id from the path, so a schema that includes the id may never be referenced. */
function removeUnusedSchemas(document: OpenAPI.Document): void {
  const schemas = document.components?.schemas ?? {};
  for (let isSettled = false; !isSettled; ) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    for (const name of unused) delete schemas[name];
    isSettled = unused.length === 0;
  }
}
