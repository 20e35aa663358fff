// The reason that a store gives for a refusal, as MinIO and Amazon word it, reaches who set it up.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { openBlobs } from '../../../src/platform/store/blobs.ts'

afterEach(() => vi.unstubAllEnvs())

const REGION = "The authorization header is malformed; the region 'us-east-1' is wrong; expecting"
const SKEW = 'The difference between the request time and the current time is too large.'

test.each([
  [
    400,
    'AuthorizationHeaderMalformed',
    `${REGION} 'eu-central-1'`,
    /expects the region eu-central-1/,
  ],
  [403, 'RequestTimeTooSkewed', SKEW, /its clock is wrong by more than .* 15 minutes at Amazon/],
  [400, 'InvalidArgument', 'S3 API Requests must be made to API port.', /made to API port/],
])('a HEAD refused with %i and no body is explained: %s', async (status, code, message, reason) => {
  const server = createServer((req, res) => {
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
    res.writeHead(status, { 'content-type': 'application/xml' })
    res.end(req.method === 'HEAD' ? undefined : body)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI')
  const blobs = openBlobs({ bucket: 'bucket', prefix: 'main/' }, true)
  await expect(blobs.findBytes('blobs/1')).rejects.toThrow(reason)
  blobs.close()
  server.closeAllConnections()
  await new Promise(closed => server.close(closed))
})
