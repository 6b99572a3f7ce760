import { EmbeddedToolchain } from '../../src/toolchain/embedded/toolchain.js';
import { toolchainContract } from './contract.js';

toolchainContract('embedded', () => EmbeddedToolchain.open());
