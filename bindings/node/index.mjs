import memorax from './index.js'

export const { open, Memorax, MemoraxError } = memorax
