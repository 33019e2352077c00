'use strict'
// The package: the native half, with its errors made MemoraxError.

const native = load()

class MemoraxError extends Error {
  constructor(code, message, hint, causes) {
    super(message, causes.length > 0 ? { cause: new Error(causes.join(': ')) } : undefined)
    this.name = 'MemoraxError'
    this.code = code
    this.hint = hint ?? undefined
  }
}

function load() {
  try {
    return require('./memorax.node')
  } catch (error) {
    throw new Error(
      `cannot load the native half of memorax-code for ${process.platform}-${process.arch}; ` +
        'build it with `npm run build` in bindings/node',
      { cause: error },
    )
  }
}

// Codes with which the native half refuses an argument of the wrong type, before any call of the core.
const REFUSED = /^(InvalidArg|[A-Z][A-Za-z]*Expected)$/

function lift(error) {
  if (error instanceof Error && typeof error.message === 'string') {
    if (error.message.startsWith('{"')) {
      const { code, message, hint, causes } = JSON.parse(error.message)
      return new MemoraxError(code, message, hint, causes)
    }
    if (error instanceof TypeError || REFUSED.test(error.code)) {
      return new MemoraxError('invalid_input', error.message, undefined, [])
    }
  }
  return error
}

function lifted(call) {
  return async function (...args) {
    try {
      return await call.apply(this, args)
    } catch (error) {
      throw lift(error)
    }
  }
}

const { Memorax } = native
for (const name of Object.getOwnPropertyNames(Memorax.prototype)) {
  if (name !== 'constructor') Memorax.prototype[name] = lifted(Memorax.prototype[name])
}
if (Symbol.asyncDispose) {
  Memorax.prototype[Symbol.asyncDispose] = function () {
    return this.close()
  }
}

exports.open = lifted(native.open)
exports.Memorax = Memorax
exports.MemoraxError = MemoraxError
