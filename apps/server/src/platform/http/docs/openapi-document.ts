import { STATUS_CODES } from 'node:http';
import type { Access, CallMeta } from '@callout/contract/call';
import { contract } from '@callout/contract/contract';
import { commonErrors, errorStatus } from '@callout/contract/errors';
import { everySchemaIn, type Schema } from '@callout/contract/inner-schemas';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { CAPABILITIES } from '@callout/domain/roles/roles';
import type { AnyContractProcedure, AnySchema, OpenAPI } from '@orpc/contract';
import { type JSONSchema, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import type { z } from 'zod';
import { COOKIE_PREFIX } from '../../auth/session-cookie.ts';
import { exampleOf } from './examples.ts';
import { FILE_ROUTES, type FileRoute, UPLOAD_REFUSALS } from './file-routes.ts';
import { namedSchemas } from './named-schemas.ts';

/** The description of the API, for people and for generators of clients: OpenAPI 3.1 of every call and of every route that moves a file. */
export async function describeApi(): Promise<OpenAPI.Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(contract, {
    info: {
      title: `${PRODUCT_NAME} API`,
      version: '1',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api', description: 'The server this description comes from' }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
    components: {
      schemas: { Error: ERROR_SCHEMA },
      responses: { [responseName(errorStatus.NOT_FOUND)]: NOT_FOUND },
      securitySchemes: { session: SESSION },
    },
    commonSchemas: usedSchemas(),
    customErrorResponseBodySchema: (errors) => oneOf(errors.map(([code, , , data]) => errorSchema(code, data))),
  });
  for (const procedure of everyProcedure()) {
    const operation = operationOf(document, procedure);
    describeAccess(operation, metaOf(procedure).access);
    describeErrors(document, operation, procedure);
    addExamples(document, operation);
  }
  for (const route of FILE_ROUTES) addFileRoute(document, route);
  dropUnusedSchemas(document);
  return JSON.parse(JSON.stringify(document), withoutSafeRange) as OpenAPI.Document;
}

/** Every integer of the contract is a safe one; saying so each time only makes the description longer. */
function withoutSafeRange(key: string, value: unknown): unknown {
  const isNoise = (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER);
  return isNoise ? undefined : value;
}

const INTRODUCTION = `Every call that ${PRODUCT_NAME}'s own pages make; there is no other API.

**Signing in.** \`POST /auth/sign-in\` answers with a session cookie. Send it with every call that is not public.

**Writing.** Clients make the ids of new records (UUIDs): repeating a request whose answer was lost does not create a second record. Changes carry the \`version\` they are based on; if somebody else was faster, the answer is \`STALE_VERSION\` with the record as it is now.

**Values.** Money is exact text with two decimals (\`"115.00"\`), instants are ISO 8601 in UTC, days are \`YYYY-MM-DD\`.

**Lists.** A list answers one page with \`next_cursor\`; send it as \`cursor\` for the next page, \`null\` means there is none.

**Errors.** Every refusal has a \`code\` from a closed list, and a \`message\` that can be shown to people.`;

const TAGS = [
  ['auth', 'Signing up and in, passwords, email changes, signed-in devices'],
  ['company', 'The company, its settings, and the person who is signed in'],
  ['staff', 'The people of the company, their roles and invitations'],
  ['customers', 'Whom the company works for'],
  ['categories', 'Kinds of jobs'],
  ['suppliers', 'Suppliers and their price lists'],
  ['items', 'Items and services of the price lists'],
  ['jobs', 'Jobs with their items, status and history'],
  ['timer', 'Time worked on jobs, and time sheets'],
  ['comments', 'Comments and photos of jobs'],
  ['board', 'Open jobs by status'],
  ['calendar', 'Bookings and tasks of a period, moving them, and the feed for other calendars'],
  ['tasks', 'To-dos'],
  ['quotes', 'Quotes, their sections, mails and acceptance'],
  ['invoices', 'Invoices, credit notes, mails and reminders'],
  ['payments', 'Payments and their reversal'],
  ['dashboard', 'Figures of the company'],
  ['notifications', 'What the signed-in person is told'],
  ['public pages', 'What customers see who have a link'],
  ['files', 'Uploads, images, PDF and CSV files'],
  ['admin', 'For the administrator of the server'],
] as const;

const SESSION = {
  type: 'apiKey',
  in: 'cookie',
  name: `${COOKIE_PREFIX}.session_token`,
  description: `Set by POST /auth/sign-in. Over https its name is \`__Secure-${COOKIE_PREFIX}.session_token\`.`,
} as const satisfies OpenAPI.SecuritySchemeObject;

const ERROR_SCHEMA = {
  type: 'object',
  properties: {
    defined: { type: 'boolean', description: 'Whether the call declares this error' },
    code: { type: 'string', enum: Object.keys(errorStatus) },
    status: { type: 'integer', description: 'The HTTP status again' },
    message: { type: 'string', description: 'A sentence that can be shown to people' },
    data: { description: 'What the code promises, such as the message of each invalid field' },
  },
  required: ['code', 'status', 'message'],
} satisfies OpenAPI.SchemaObject;

function errorSchema(code: string, data: JSONSchema): JSONSchema {
  const known = typeof data === 'object' && Object.keys(data).length > 0;
  return {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { code: { const: code }, ...(known && { data }) }, required: known ? ['code', 'data'] : ['code'] },
    ],
  };
}

/** Of the routes that move files; calls say what they have not found. */
const NOT_FOUND: OpenAPI.ResponseObject = {
  description: 'NOT_FOUND: There is no such record, or it is not open to you.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

const oneOf = (schemas: JSONSchema[]): JSONSchema => (schemas.length === 1 && schemas[0] ? schemas[0] : { oneOf: schemas });

/** The named schemas that calls use. One that answers use is described as it is sent, the others as they are received. */
function usedSchemas() {
  const sent = new Set<Schema>();
  const received = new Set<Schema>();
  for (const { '~orpc': call } of everyProcedure()) {
    for (const answer of [call.outputSchema, ...errorsOf(call).map(({ data }) => data)]) addSchemas(sent, answer as Schema | undefined);
    addSchemas(received, call.inputSchema as Schema | undefined);
  }
  const used = Object.entries(namedSchemas).filter(([, schema]) => sent.has(schema) || received.has(schema));
  return Object.fromEntries(
    used.map(([name, schema]): [string, { schema: AnySchema; strategy: 'input' | 'output' }] => [
      name,
      { schema: schema as z.ZodType, strategy: sent.has(schema) ? 'output' : 'input' },
    ]),
  );
}

function addSchemas(found: Set<Schema>, schema: Schema | undefined): void {
  if (schema) for (const inner of everySchemaIn(schema)) found.add(inner.schema);
}

const everyProcedure = () => Object.values(contract).flatMap((calls) => Object.values<AnyContractProcedure>(calls));

interface DeclaredError {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly data?: unknown;
}

function errorsOf({ errorMap }: AnyContractProcedure['~orpc']): DeclaredError[] {
  return Object.entries(errorMap as Record<string, Omit<DeclaredError, 'code'>>).map(([code, error]) => ({ ...error, code }));
}

const metaOf = (procedure: AnyContractProcedure) => procedure['~orpc'].meta as CallMeta;

function operationOf(document: OpenAPI.Document, { '~orpc': { route } }: AnyContractProcedure): OpenAPI.OperationObject {
  const method = (route.method ?? '').toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  const operation = document.paths?.[route.path ?? '']?.[method];
  if (!operation) throw new Error(`${route.method} ${route.path} is not described`);
  return operation;
}

function describeAccess(operation: OpenAPI.OperationObject, access: Access): void {
  operation.security = access === 'public' ? [] : [{ session: [] }];
  operation.description = [operation.description, whoMay(access)].filter(Boolean).join('\n\n');
}

function whoMay(access: Access): string {
  if (access === 'public') return 'Anybody may make this call.';
  if (access === 'signed-in') return 'Everybody who is signed in may make this call.';
  if (access === 'system-admin') return 'Only the administrator of the server may make this call.';
  const roles = CAPABILITIES[access];
  return `Members of the company with one of these roles may make this call: ${roles.join(', ')}.`;
}

/** Says what each error means; those that nearly every call has are described once, under components. */
function describeErrors(document: OpenAPI.Document, operation: OpenAPI.OperationObject, procedure: AnyContractProcedure): void {
  const shared = ((document.components ??= {}).responses ??= {});
  const responses = (operation.responses ??= {});
  const isPublic = metaOf(procedure).access === 'public';
  const declared = Object.groupBy(errorsOf(procedure['~orpc']), ({ status }) => status);
  for (const [status, errors = []] of Object.entries(declared)) {
    const response = responses[status];
    if (!response || '$ref' in response) throw new Error(`${operation.operationId} does not describe its answer ${status}`);
    response.description = errors.map(({ code, message }) => `${code}: ${message}`).join('\n\n');
    if (!errors.every(isCommon)) continue;
    if (isPublic && Number(status) === errorStatus.UNAUTHENTICATED) {
      delete responses[status];
      continue;
    }
    shared[responseName(status)] ??= response;
    responses[status] = { $ref: `#/components/responses/${responseName(status)}` };
  }
}

function isCommon({ code, message }: DeclaredError): boolean {
  return Object.entries(commonErrors).some(([name, error]) => name === code && error.message === message);
}

/** 'Too Many Requests' as TooManyRequests. */
const responseName = (status: number | string) => (STATUS_CODES[status] ?? String(status)).replaceAll(' ', '');

function addExamples(document: OpenAPI.Document, operation: OpenAPI.OperationObject): void {
  const [owner = ''] = operation.tags ?? [];
  for (const parameter of operation.parameters ?? []) {
    if (!('$ref' in parameter) && parameter.required)
      parameter.example = exampleOf(document, parameter.schema, { owner, field: parameter.name });
  }
  const answers = Object.entries(operation.responses ?? {}).flatMap(([status, response]) => (Number(status) < 300 ? [response] : []));
  for (const part of [operation.requestBody, ...answers]) {
    const json = part && 'content' in part ? part.content?.['application/json'] : undefined;
    if (json?.schema) json.example = exampleOf(document, json.schema, { owner, field: '' });
  }
}

function addFileRoute(document: OpenAPI.Document, route: FileRoute): void {
  const { method, path, summary, access, tag, answers, receives, filters } = route;
  const refusals = [
    ...(access === 'public' ? [] : (['UNAUTHENTICATED', 'FORBIDDEN'] as const)),
    ...(path.includes('{') ? (['NOT_FOUND'] as const) : []),
    ...(filters ? (['INVALID_INPUT'] as const) : []),
    'TOO_MANY_ATTEMPTS' as const,
  ];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: { type: 'string' as const },
    example: exampleOf(document, { type: 'string' }, { owner: tag, field: name }),
  }));
  const operation: OpenAPI.OperationObject = {
    operationId: `${method}${path.replaceAll(/[^a-z]+([a-z])/g, (_match, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '')}`,
    summary,
    tags: [tag],
    parameters: [...inPath, ...((filters && document.paths?.[filters]?.get?.parameters) || [])],
    responses: {
      [answers.status]: { description: 'OK', content: { [answers.type]: { schema: answers.schema } } },
      ...Object.fromEntries(
        refusals.map((code) => [errorStatus[code], { $ref: `#/components/responses/${responseName(errorStatus[code])}` }]),
      ),
    },
  };
  if (receives) {
    operation.requestBody = { required: true, content: { 'multipart/form-data': { schema: receives } } };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
    for (const [status, description] of Object.entries(UPLOAD_REFUSALS)) (operation.responses ??= {})[status] = { description, content };
  }
  describeAccess(operation, access);
  const paths = (document.paths ??= {});
  paths[path] = { ...paths[path], [method]: operation };
}

/** The body of a change has its id in the path, so that the schema of the whole is referred to nowhere. */
function dropUnusedSchemas(document: OpenAPI.Document): void {
  const schemas = document.components?.schemas ?? {};
  for (let isSettled = false; !isSettled; ) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    for (const name of unused) delete schemas[name];
    isSettled = unused.length === 0;
  }
}
