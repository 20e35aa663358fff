import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createDocument } from 'zod-openapi'
import type { ApiProduct } from '../accounts/apiProduct.ts'
import { HISTORY_DAYS_FREE } from '../accounts/products.ts'
import { readIcon } from '../platform/html/assets.ts'
import { renderPage } from '../platform/html/layout.ts'
import { html } from '../platform/html/template.ts'
import { codedEnvelope } from '../platform/http/errors/envelope.ts'
import { POLICY_OF_DOCS } from '../platform/http/headers.ts'
import { createCachedPage, type Page } from '../platform/http/page.ts'
import { HTML_TYPE, JSON_TYPE } from '../platform/http/response.ts'
import { AREAS, listProducts, type ServedArea } from './areas.ts'

/** Version of the interface description, not of the code. */
const INTERFACE_VERSION = '1.0.0'

/** Builds the OpenAPI 3.1 description of the whole service. */
export function openApiDocument(areas: readonly ServedArea[] = AREAS) {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Tapefold API',
      version: INTERFACE_VERSION,
      description: describeService(areas),
      // no contact address: the operator of a copy of this code may be anybody
      contact: { name: 'Whoever runs this server' },
      license: { name: 'Not licensed: all rights reserved', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url: '/', description: 'This server.' }],
    tags: areas.map(({ tag }) => tag),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of scope `orders`: `ordk_` and 36 letters and digits.',
        },
        datasetKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of scope `dataset` or `lab`: `labk_` and 36 letters and digits.',
        },
        liveKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A key of scope `live`: `ftpl_` and 36 letters and digits. One of scope `dataset` ' +
            `opens days that are older than ${HISTORY_DAYS_FREE} days.`,
        },
        labKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of scope `lab`: `labk_` and 36 letters and digits.',
        },
        geoKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of scope `geo`: `gk_` and 36 letters and digits.',
        },
        addressKey: {
          type: 'apiKey',
          in: 'query',
          name: 'key',
          description:
            'A key of scope `live` that was made for addresses, for programs that cannot send a ' +
            'header. It opens nothing else.',
        },
      },
    },
    paths: Object.assign({}, ...areas.map(({ paths }) => paths)),
    webhooks: Object.assign({}, ...areas.map(({ webhooks }) => webhooks)),
  })
}

/** Describes the service, with the errors of each product in the order of its catalogue. */
const describeService = (
  areas: readonly ServedArea[],
): string => `Every large SPX options order of a session, rebuilt from the trade tape, the
positions that an account keeps, and the levels of the dealers' book at every minute.

Times are US Eastern. A null is never a zero. Fields are added inside a version: skip those you do
not know. GET operations also answer HEAD, but for those of positions. Each operation names the
errors it can answer. Any other path answers 404 \`no_route\`, under \`/api/positions\` and
\`/api/v1\` \`not_found\`. When several errors hold, the answer is the first of these, by the product
of the key:

${listProducts(areas).map(describePrecedence).join('\n')}

**Counting.** Every call that carries a good key counts, the ones answered 304, 400, 404, 405, 406,
413, 415 and 422 too; calls refused with 401 or 403 do not. Orders and positions count the calls of
an account against its day. The levels API counts those of a key against its UTC minute, and the
places it is used from against its UTC hour. The Geo API counts the calls that are answered, against
the UTC month of the account.`

/** Lists the errors of a product, the first that holds first. */
function describePrecedence({ name, errors }: ApiProduct): string {
  const hasCodes = errors.envelope === codedEnvelope
  const rows = errors.rows.map(({ status, code }) => (hasCodes ? `${status} \`${code}\`` : status))
  return `- **${name}**: ${rows.join(', ')}`
}

/**
 * `/openapi.json` and `/docs`: pages that need no key and load nothing from other hosts. Each is
 * made at its first request, once a process: no page depends on the data.
 */
export const docsPages: Readonly<Record<string, () => Page>> = (() => {
  const script = 'text/javascript; charset=utf-8'
  const style = 'text/css; charset=utf-8'
  return {
    '/openapi.json': page(JSON_TYPE, () => JSON.stringify(openApiDocument(), null, 1)),
    '/docs': page(HTML_TYPE, docsPage, { 'content-security-policy': POLICY_OF_DOCS }),
    '/docs/init.js': page(script, () => INIT_SCRIPT),
    '/docs/swagger-ui.css': page(style, () => swaggerFile('swagger-ui.css')),
    '/docs/swagger-ui-bundle.js': page(script, () => swaggerFile('swagger-ui-bundle.js')),
    '/favicon.ico': page('image/svg+xml', readIcon),
  }
})()

function page(
  contentType: string,
  read: () => string | Buffer,
  own: Readonly<Record<string, string>> = {},
): () => Page {
  let made: Page | null = null
  return () => {
    const headers = { 'cache-control': 'public, max-age=300', ...own }
    made ??= createCachedPage({ content: read(), contentType, headers })
    return made
  }
}

function swaggerFile(name: string): Buffer {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  return readFileSync(join(folder, name))
}

function docsPage(): string {
  return renderPage({
    title: 'API',
    path: '/docs',
    hasOwnMain: true,
    main: html`<div id="docs"></div>`,
    styles: ['/docs/swagger-ui.css'],
    scripts: ['/docs/swagger-ui-bundle.js', '/docs/init.js'],
  })
}

const INIT_SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  // highlighting a whole ledger takes the browser half a minute
  syntaxHighlight: false,
  persistAuthorization: false,
})
`
