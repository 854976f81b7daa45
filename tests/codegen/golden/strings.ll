@lf_pool = internal constant [8 x i8] c"ab\00\00\00\00b\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  br label %b.1
b.1:
  %b.1.t1 = getelementptr i8, ptr %b, i32 1
  call void @lf_assign_string(ptr %b.1.t1, i16 zeroext 6, ptr @lf_pool, i16 zeroext -32762)
  %b.1.t2 = getelementptr i8, ptr %b, i32 7
  %b.1.t3 = getelementptr i8, ptr %b, i32 1
  %b.1.t4 = getelementptr i8, ptr @lf_pool, i32 6
  %b.1.t5 = call zeroext i8 @lf_compare_strings(ptr %b.1.t3, i16 zeroext 6, ptr %b.1.t4, i16 zeroext -32766)
  %b.1.t6 = icmp slt i8 %b.1.t5, 0
  %b.1.t7 = zext i1 %b.1.t6 to i8
  store i8 %b.1.t7, ptr %b.1.t2, align 1
  br label %b.2
b.2:
  %b.2.t1 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}
