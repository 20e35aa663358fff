import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Refusal } from '../core/disk/refusal.ts'

/** Time for calls in progress, and for each child process, to end once the server stops. */
export const STOP_GRACE_MS = 5_000
const STOP_SWEEP_MS = 20

/** Closes a server, with limited time for calls in progress. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>(done => server.close(() => done()))
  // after its last response, a keep-alive connection would stay open, waiting for a request
  const sweep = setInterval(() => server.closeIdleConnections(), STOP_SWEEP_MS)
  const timer = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
  await closed
  clearTimeout(timer)
  clearInterval(sweep)
}

/** Resolves once a server listens. */
export const listenAt = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((listening, failed) => {
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      listening()
    })
  })

/** Address of a listening server, without a trailing slash. */
export const formatUrl = ({ family, address, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

/** Describes an error of listening in one sentence, if the address caused it. */
export function listenRefusal(
  error: NodeJS.ErrnoException,
  { host, port }: { readonly host: string; readonly port: number },
): Error {
  const { code = '' } = error
  if (code === 'EADDRINUSE') {
    const other = port < 65_535 ? port + 1 : 8080
    return new Refusal(`port ${port} of ${host} is taken; give another, such as --port ${other}.`)
  }
  if (code === 'EACCES') {
    return new Refusal(`this user may not open port ${port}; give another, such as 8080.`)
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code)) {
    return new Refusal(`${host} is not an address of this machine; give one such as 127.0.0.1.`)
  }
  return error
}
