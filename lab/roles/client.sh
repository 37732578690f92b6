#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The client: an address and a way out.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
addresses_and_routes
