//! Numbers as bytes that deflate well: differences, small and of either sign.

/// The low bytes of the numbers, then the high ones, so that small numbers of either sign have the same high byte.
pub fn byte_planes(numbers: &[i16]) -> Vec<u8> {
    let bytes = || numbers.iter().map(|number| number.to_le_bytes());
    bytes().map(|[low, _]| low).chain(bytes().map(|[low, high]| high.wrapping_add(low >> 7))).collect()
}

/// The numbers of such bytes.
pub fn from_byte_planes(planes: &[u8]) -> impl Iterator<Item = i16> {
    let (low, high) = planes.split_at(planes.len() / 2);
    low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high.wrapping_sub(low >> 7)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_come_back() {
        let numbers: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        assert!(from_byte_planes(&byte_planes(&numbers)).eq(numbers));
        assert_eq!(byte_planes(&[3, -3, 127, -128]), [3, 253, 127, 128, 0, 0, 0, 0]);
    }
}
