import type { Request, Response } from 'express'
import { SIGN_IN_IDLE_MS } from '../accounts/signIns.ts'

/** `__Host-`: a browser accepts it only over https or on the machine itself, and for this host. */
const NAME = '__Host-tapefold'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** Returns the secret in a browser's cookie; null when there is none, or more than one. */
export function readSecret(req: Request): string | null {
  const pairs = (req.headers.cookie ?? '').split(';').map(pair => pair.trim())
  const own = pairs.filter(pair => pair.startsWith(`${NAME}=`))
  return own.length === 1 ? own[0]!.slice(NAME.length + 1) : null
}

export function writeSecret(res: Response, secret: string): void {
  const seconds = SIGN_IN_IDLE_MS / 1000
  res.setHeader('set-cookie', `${NAME}=${secret}; Max-Age=${seconds}; ${ATTRIBUTES}`)
}

export function clearSecret(res: Response): void {
  res.setHeader('set-cookie', `${NAME}=; Max-Age=0; ${ATTRIBUTES}`)
}
