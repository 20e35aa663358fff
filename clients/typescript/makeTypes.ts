// Writes src/schema.ts, the types of the server's OpenAPI file, which is not in the repository:
// npm run types, here in clients/typescript, and npm run client-types above.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { openApiDocument } from '../../src/server/docs.ts'

const file = JSON.parse(JSON.stringify(openApiDocument()))
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
writeFileSync(join(import.meta.dirname, 'src/schema.ts'), types)
