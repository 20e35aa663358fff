// Writes src/schema.ts, the types of the server's OpenAPI file: npm run types, here in clients/typescript.

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { openApiDocument } from '../../src/server/docs.ts'

const text = JSON.stringify(openApiDocument())
const hash = createHash('sha256').update(text).digest('hex')
const file = JSON.parse(text)
// refusals are thrown as TapefoldError: without them the types are a quarter as long
for (const operations of Object.values(file.paths) as Record<string, { responses?: object }>[]) {
  for (const operation of Object.values(operations)) {
    if (operation.responses === undefined) continue
    const good = Object.entries(operation.responses).filter(([status]) => status < '400')
    operation.responses = Object.fromEntries(good)
  }
}
delete file.webhooks
const types = astToString(await openapiTS(file))
const head = `// Made by npm run types of clients/typescript. SHA-256 of the OpenAPI file: ${hash}\n\n`
writeFileSync(join(import.meta.dirname, 'src/schema.ts'), head + types)
