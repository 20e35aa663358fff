import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOnce } from '../../core/disk/createOnce.ts'
import { tightenToOwner } from '../../core/disk/ownerOnly.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { KEY_BYTES, parseSecretKey } from './secretKey.ts'

/** Encrypts secrets that must be shown again, such as those of webhooks: unreadable at rest. */
export type SecretBox = {
  /** Sealed text; `about` names its purpose, and it opens for no other. */
  readonly seal: (text: string, about: string) => string
  /** Null: it was sealed with another key or for something else, or is damaged. */
  readonly open: (sealed: string, about: string) => string | null
}

const SECRET_BYTES = 30

/** Makes a webhook secret: `whsec_` and the base64 of 30 random bytes. */
export const makeSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** Purpose that the secret of an account's webhooks is sealed for. */
export const secretAbout = (accountId: string): string => `webhooks of ${accountId}`

/** Default key file in the data folder. */
const KEY_FILE = 'secret.key'

export type SecretKeySettings = {
  readonly dataFolder: string
  /** PostgreSQL database of the accounts; null: they are in a file of the data folder. */
  readonly databaseUrl: string | null
  /** Key of TAPEFOLD_SECRET_KEY; null when it is not set. */
  readonly secretKey: Buffer | null
}

/**
 * Opens the box of this server: its key is TAPEFOLD_SECRET_KEY, else that of a file in the data
 * folder, which is made once. Machines that share a database need the same key, so there it must be
 * set. Fails with a Refusal.
 */
export function openSecretBox({
  secretKey,
  databaseUrl,
  dataFolder,
}: SecretKeySettings): SecretBox {
  if (secretKey !== null) return createBox(secretKey)
  if (databaseUrl !== null) {
    throw new Refusal(
      'TAPEFOLD_SECRET_KEY is not set, and with DATABASE_URL it must be, the same on every ' +
        'machine; make one with "openssl rand -base64 32".',
    )
  }
  return createBox(keyOfFolder(dataFolder))
}

function keyOfFolder(dataFolder: string): Buffer {
  const path = join(dataFolder, KEY_FILE)
  createOnce(path, () => `${randomBytes(KEY_BYTES).toString('base64')}\n`)
  tightenToOwner(path)
  const key = parseSecretKey(readFileSync(path, 'utf8').trim())
  if (key !== null) return key
  throw new Refusal(
    `${path} is no key: it must have ${KEY_BYTES} bytes as base64. Restore it from a backup; ` +
      'if there is none, delete it and give every account a new secret.',
  )
}

/** Version prefix of sealed text; another algorithm gets another one. */
const VERSION = 'v1.'
const NONCE_BYTES = 12
const TAG_BYTES = 16

function createBox(key: Buffer): SecretBox {
  return {
    seal: (text, about) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
      const bytes = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return VERSION + Buffer.concat(bytes).toString('base64')
    },
    open: (sealed, about) => {
      if (!sealed.startsWith(VERSION)) return null
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      const end = bytes.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(end))
      try {
        const text = [decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()]
        return Buffer.concat(text).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
